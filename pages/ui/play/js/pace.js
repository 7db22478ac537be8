// Where a playing playhead is after some seconds; near events it may take ten times as long.
export function flPace(player, seconds) {
  const speed = Number(player.speed), near = Math.max(2, speed / 20);
  let { t } = player;
  if (player.speed === 'max') return player.limit;
  for (const event of player.slow ? player.events.list : []) {
    if (event.t + near <= t) continue;
    const before = Math.max(0, event.t - near - t) / speed;
    if (before >= seconds) break;
    t = Math.max(t, event.t - near);
    seconds -= before;
    const within = (event.t + near - t) / (speed / 10);
    if (within >= seconds) return t + seconds * speed / 10;
    t = event.t + near;
    seconds -= within;
  }
  return t + seconds * speed;
}

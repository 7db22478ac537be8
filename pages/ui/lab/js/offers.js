// Hands what can be asked of a step to the player, now or when it comes.

export default function (component) {
  const shared = (globalThis.__feedbackLab ??= {});
  shared.offers = component.data;  // for a player that comes later
  shared.player?.asks.offer(shared.offers);
}

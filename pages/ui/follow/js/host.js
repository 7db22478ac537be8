// Connects the bar to the app. What leads or follows outlives the element in which it stands: a page may change.

class Follow {
  constructor() {
    Object.assign(this, { bar: new FollowBar(), part: null, key: '' });
  }

  update(component) {
    this.component = component;
    const { data } = component, act = (name, value) => this.component.setTriggerValue(name, value);
    const kept = Leader.kept();
    if (data.role !== 'lead' && kept && data.stopped === kept.code) Leader.forget();
    else if (data.role === '' && kept && this.asked !== kept.secret) {
      this.asked = kept.secret;  // once: the server may have refused
      act('resume', kept);
      return;
    }
    if (data.role === 'lead') this.asked = '';
    const key = `${data.role} ${data.code}`;
    if (key === this.key) return;
    this.key = key;
    this.part?.destroy();
    this.part = null;
    if (data.role === 'lead') this.part = new Leader(data, this.bar, act);
    else if (data.role === 'follow') this.part = new Follower(data, this.bar, act);
    else this.bar.hide();
  }
}

export default function (component) {
  const root = component.parentElement.querySelector('.fl-follow');
  if (!root) return;
  const here = (flShared.follow ??= new Follow());
  if (here.bar.root.parentElement !== root) root.replaceChildren(here.bar.root);
  here.update(component);
}

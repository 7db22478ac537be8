// Connects the bar to the app. What leads or follows outlives the element in which it stands: a page may change.

import { flShared } from '../../draw/js/library.js';
import { FollowBar } from './bar.js';
import { FL_TICK, Follower } from './follower.js';
import { Leader } from './leader.js';

class Follow {
  constructor() {
    this.bar = new FollowBar();
    this.part = null;
    this.key = '';
  }

  update(component) {
    this.component = component;
    const { data } = component, act = (name, value) => this._act(name, value);
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

  // Tells the server, once the page is complete: a run of its script that is broken off leaves fields without values.
  // value : what is told, or a function that returns it then.
  _act(name, value) {
    clearInterval(this.waiting);
    const done = () => {
      const { testScriptState: state = 'notRunning' } = document.querySelector('[data-testid=stApp]')?.dataset ?? {};
      if (state !== 'notRunning') return false;
      clearInterval(this.waiting);
      this.component.setTriggerValue(name, typeof value === 'function' ? value() : value);
      return true;
    };
    if (!done()) this.waiting = setInterval(done, FL_TICK);
  }
}

export default function (component) {
  const root = component.parentElement.querySelector('.fl-follow');
  if (!root) return;
  const here = (flShared.follow ??= new Follow());
  here.bar.dress(root);
  here.update(component);
}

// A line to the server for one class. It is opened again whenever it breaks, until it is closed.

const FL_LIFE = { silence: 8000, look: 1000, again: [500, 1000, 2000, 4000], refused: 5000 };  // ms

export class FollowWire {
  // greeting : the first message. hear(message), changed() : called when one comes, and when `state` is another.
  constructor(code, greeting, hear, changed) {
    this.code = code;
    this.greeting = greeting;
    this.hear = hear;
    this.changed = changed;
    this.state = 'opening';
    this.tries = 0;
    this.words = '';
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    addEventListener('offline', () => this._lost(), { signal });
    addEventListener('online', () => this._open(), { signal });
    this.looking = setInterval(() => this._look(), FL_LIFE.look);
    this._open();
  }

  get open() { return this.state === 'open'; }

  send(message) {
    if (this.open && this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close() {
    this.leaving.abort();
    clearInterval(this.looking);
    clearTimeout(this.waiting);
    this._drop();
    this._be('closed');
  }

  _open() {
    clearTimeout(this.waiting);
    if (this.leaving.signal.aborted) return;
    this._drop();
    const address = new URL(`follow/${encodeURIComponent(this.code)}`, document.baseURI);
    address.protocol = address.protocol.replace('http', 'ws');
    const socket = this.socket = new WebSocket(address);
    this.heard = performance.now();
    socket.onopen = () => socket.send(JSON.stringify(this.greeting));
    socket.onmessage = ({ data }) => this._hear(JSON.parse(data));
    socket.onclose = () => this._lost();
  }

  _hear(message) {
    this.heard = performance.now();
    if (message.refused) {
      this.words = message.refused;
      this._be('refused');
      this._drop();
      this._later(FL_LIFE.refused);
      return;
    }
    this.tries = 0;
    this._be('open');
    if (message.pulse) this.send({});  // also from a page in the background, whose clocks are slow
    this.hear(message);
  }

  // A line that is cut says nothing.
  _look() {
    if (this.socket && performance.now() - this.heard > FL_LIFE.silence) this._lost();
  }

  _lost() {
    this._drop();
    this._be('lost');
    this._later(FL_LIFE.again[Math.min(this.tries++, FL_LIFE.again.length - 1)]);
  }

  _later(pause) {
    clearTimeout(this.waiting);
    if (!this.leaving.signal.aborted) this.waiting = setTimeout(() => this._open(), pause);
  }

  _drop() {
    const { socket } = this;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  _be(state) {
    if (this.state === state) return;
    this.state = state;
    this.changed();
  }
}

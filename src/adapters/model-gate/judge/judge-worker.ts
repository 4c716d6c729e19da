import { parentPort } from 'node:worker_threads';
import { judgeBody } from './judge-body.js';
import type { JudgeJob, JudgeReply } from './judge-thread.js';

/* Runs in its own thread, so that a large or odd request delays nobody else. */
parentPort?.on('message', ({ id, bytes, endpoint }: JudgeJob) => {
  const verdict = judgeBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), endpoint);
  parentPort?.postMessage({ id, verdict, bytes } satisfies JudgeReply, [bytes.buffer]);
});

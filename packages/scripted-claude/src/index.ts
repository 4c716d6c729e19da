/* An Anthropic Messages API on loopback that says what its scripts say. */
export { type Clock, type Instant } from './clock.js';
export { textsOf } from './protocol/conversation.js';
export { type ModelRequest, toModelRequest } from './protocol/model-request.js';
export { type BodyMessage } from './protocol/request-body.js';
export { cut, drip, errorEvent, hang, malformed, reset, stall } from './script/break.js';
export { creditTooLow, fail, promptTooLong, rateLimit, usageLimit } from './script/fail.js';
export { Playbook } from './script/playbook.js';
export {
  bash,
  call,
  edit,
  empty,
  maxTokens,
  read,
  refuse,
  say,
  structured,
  think,
  together,
  write,
} from './script/say.js';
export { parseScriptFile } from './script/script-file.js';
export { type Script } from './script/script.js';
export { type MessageTurn, type ReplyBlock, type Turn } from './script/turn.js';
export { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from './scripted-model.js';

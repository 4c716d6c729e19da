import { answerOf, type Authorization, contextOf, type Response, type Rule } from './rule.js';
import { withRateLimitKey } from './within-limits.js';

/** Sends with the right credential, and once more with a new one if GitHub refuses it. */
export const withAuthorization: Rule = async (send, options) => {
  const { authorize } = contextOf(options);
  const sendWith = async ({ header, rateLimitKey }: Authorization): Promise<Response> => {
    const headers = header === null ? options.headers : { ...options.headers, authorization: header };
    return send(withRateLimitKey({ ...options, headers }, rateLimitKey));
  };
  const authorization = await authorize();
  const first = await sendWith(authorization);
  // A refused credential had no effect, so the request may be repeated with a new one.
  return authorization.shouldRetry(answerOf(first)) ? sendWith(await authorize()) : first;
};

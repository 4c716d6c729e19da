import { answerOf, type Authorization, contextOf, type Response, type Rule } from './rule.js';
import { withRateLimitKey } from './within-limits.js';

/** Asks with whatever credential is right, and once more with a new one if it is not taken. */
export const withAuthorization: Rule = async (send, options) => {
  const { authorize } = contextOf(options);
  const sendWith = async ({ header, rateLimitKey }: Authorization): Promise<Response> => {
    const headers = header === null ? options.headers : { ...options.headers, authorization: header };
    return send(withRateLimitKey({ ...options, headers }, rateLimitKey));
  };
  const authorization = await authorize();
  const first = await sendWith(authorization);
  // A credential that is not taken has done nothing, so that a new one may safely try the same.
  return authorization.shouldRetry(answerOf(first)) ? sendWith(await authorize()) : first;
};

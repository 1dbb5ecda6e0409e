import * as z from 'zod/mini'
import { dateTime, flag, id, int32, text, texts, textUpTo } from '../../kernel/contract/fields.ts'
import { field, model, settable } from '../../kernel/contract/model.ts'
import { hookFailureRules, hookNames } from '../../kernel/settings/hooks.ts'

/* What the console shows of hooks, and what it asks for a test call. */

const name = z.enum(hookNames)
const problems = ['timeout', 'connect', 'status', 'error', 'size', 'answer', 'circuit'] as const

/** A call without a usable answer, or a sign-in that went on without one. */
export const HookFailure = model(
  {
    at: field(dateTime, docs && { description: 'When it was.', example: '2026-01-31T12:00:00.000Z' }),
    event: field(
      z.enum(['hook.failed', 'hook.bypassed']),
      docs && {
        description: 'The audit event. `hook.bypassed` is the sign-in of an administrator without an answer.',
        example: 'hook.failed',
      },
    ),
    problem: field(
      z.nullable(z.enum(problems)),
      docs && {
        description: 'Why there was no usable answer. Null for `hook.bypassed`.',
        example: 'timeout',
      },
    ),
    user: field(
      z.nullable(id),
      docs && { description: 'The ID of the person, if there is one.', example: 7 },
    ),
    user_name: field(
      z.nullable(z.string()),
      docs && { description: 'Their username. Null if they were deleted.', example: 'ada' },
    ),
  },
  docs && {
    description: 'A call of a hook without a usable answer.',
    example: {
      at: '2026-01-31T12:00:00.000Z',
      event: 'hook.failed',
      problem: 'timeout',
      user: 7,
      user_name: 'ada',
    },
  },
)

/** How long the last calls took. */
export const HookLatency = model(
  {
    calls: field(int32, docs && { description: 'How many calls the numbers are of.', example: 100 }),
    median_ms: field(
      int32,
      docs && { description: 'Half of them took no longer, in milliseconds.', example: 84 },
    ),
    p95_ms: field(
      int32,
      docs && { description: '95 % of them took no longer, in milliseconds.', example: 210 },
    ),
  },
  docs && {
    description: 'How long the last calls of a hook took.',
    example: { calls: 100, median_ms: 84, p95_ms: 210 },
  },
)

/** Who turned a hook off, and when. */
export const HookTurnedOff = model(
  {
    at: field(
      dateTime,
      docs && { description: 'When it was turned off.', example: '2026-01-31T12:00:00.000Z' },
    ),
    by: field(z.nullable(id), docs && { description: 'The ID of the administrator.', example: 1 }),
    by_name: field(
      z.nullable(z.string()),
      docs && { description: 'Their username. Null if they were deleted.', example: 'grace' },
    ),
  },
  docs && {
    description: 'Who turned a hook off in the console.',
    example: { at: '2026-01-31T12:00:00.000Z', by: 1, by_name: 'grace' },
  },
)

export const Hook = model(
  {
    name: field(name, docs && { description: 'The name of the hook.', example: 'afterSignIn' }),
    state: field(
      z.enum(['not_configured', 'disabled', 'turned_off', 'on']),
      docs && {
        description:
          '`not_configured` without a function, `disabled` by `enabled` of its settings, `turned_off` in the console. Only a hook that is `on` is called.',
        example: 'on',
      },
    ),
    function: field(
      z.nullable(z.string()),
      docs && {
        description: 'The ARN of its function. Null without one, and in local mode, where it is a module.',
        example: 'arn:aws:lambda:eu-central-1:111122223333:function:after-sign-in:live',
      },
    ),
    timeout_ms: field(
      z.nullable(int32),
      docs && { description: 'How many milliseconds it may take. Null without a function.', example: 3000 },
    ),
    on_failure: field(
      z.nullable(z.enum(hookFailureRules)),
      docs && {
        description: 'Whether the service goes on without an answer, or refuses. Null without a function.',
        example: 'refuse',
      },
    ),
    claims: field(texts, docs && { description: 'The claims that `beforeToken` may add.', example: [] }),
    groups: field(texts, docs && { description: 'The groups that `beforeSignUp` may give.', example: [] }),
    attributes: field(
      texts,
      docs && { description: 'The attributes that `beforeSignUp` may set.', example: [] },
    ),
    turned_off: field(
      z.nullable(HookTurnedOff),
      docs && 'Who turned it off in the console, and when. Null if nobody did.',
    ),
    failures: field(
      z.array(HookFailure),
      docs && 'The last failures, newest first, of the newest 1,000 audit events.',
    ),
    latency: field(
      z.nullable(HookLatency),
      docs &&
        'How long `afterSignIn` took in the last 100 sign-ins among the newest 1,000 audit events. Null without any, and for the other hooks: nothing is written for their calls.',
    ),
  },
  docs && {
    description: 'A hook with its settings, its state and its last failures.',
    example: {
      name: 'afterSignIn',
      state: 'on',
      function: 'arn:aws:lambda:eu-central-1:111122223333:function:after-sign-in:live',
      timeout_ms: 3000,
      on_failure: 'refuse',
      claims: [],
      groups: [],
      attributes: [],
      turned_off: null,
      failures: [
        {
          at: '2026-01-31T12:00:00.000Z',
          event: 'hook.failed',
          problem: 'timeout',
          user: 7,
          user_name: 'ada',
        },
      ],
      latency: { calls: 100, median_ms: 84, p95_ms: 210 },
    },
  },
)
export type Hook = z.output<typeof Hook>

export const HookChange = model(
  {
    turned_off: settable(flag, docs && { description: 'Whether the hook is off.', example: true }),
  },
  docs && { description: 'What to change of a hook.', example: { turned_off: true } },
)

/** The account that a test of `beforeSignUp` is about. It does not exist. */
export const HookTrialAccount = model(
  {
    username: settable(
      z.optional(text(255)),
      docs && { description: 'The username that it would get.', example: 'ada' },
    ),
    name: settable(
      z.optional(text(255)),
      docs && { description: 'The name of the person.', example: 'Ada Lovelace' },
    ),
    email: settable(
      z.optional(text(255)),
      docs && { description: 'The email address that it would get.', example: 'ada@example.com' },
    ),
    language: settable(
      z.optional(text(35)),
      docs && { description: 'The language of the person.', example: 'en' },
    ),
  },
  docs && {
    description: 'An account for a test. It is not created.',
    example: { username: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', language: 'en' },
  },
)
export type HookTrialAccount = z.output<typeof HookTrialAccount>

export const HookTrial = model(
  {
    user: settable(
      z.optional(id),
      docs && { description: 'The ID of a person. Required for all hooks but `beforeSignUp`.', example: 7 },
    ),
    client_id: settable(
      z.optional(text(255)),
      docs && {
        description: 'The `client_id` of a client. Required for `beforeToken`.',
        example: 'fa3e1f0c-6d2b-4a57-9f0c-2b7d1c4e8a90',
      },
    ),
    account: settable(z.optional(HookTrialAccount), docs && 'The account for `beforeSignUp`.'),
  },
  docs && {
    description: 'Whom to call a hook for.',
    example: { user: 7, client_id: 'fa3e1f0c-6d2b-4a57-9f0c-2b7d1c4e8a90' },
  },
)
export type HookTrial = z.output<typeof HookTrial>

/** A field of an answer that the hook may not give. */
export const HookAnswerError = model(
  {
    field: field(textUpTo(300), docs && { description: 'The field of the answer.', example: 'claims.plan' }),
    message: field(
      textUpTo(300),
      docs && { description: 'What is wrong with it.', example: 'is not in the list of claims' },
    ),
  },
  docs && {
    description: 'A field of an answer that the hook may not give.',
    example: { field: 'claims.plan', message: 'is not in the list of claims' },
  },
)

export const HookTrialResult = model(
  {
    verdict: field(
      z.enum(['accept', 'continue', 'require_second_factor', 'refuse', 'claims', 'failed', 'not_asked']),
      docs && {
        description:
          'What would happen: the decision of the answer, or `claims` for claims in tokens. It is `failed` without a usable answer, and `not_asked` if the client has the scope of none of the claims.',
        example: 'refuse',
      },
    ),
    message: field(
      z.nullable(z.string()),
      docs && {
        description: 'The words of a refusal, as text from the function. Show them as text alone.',
        example: 'Your contract has ended.',
      },
    ),
    problem: field(
      z.nullable(z.enum(problems)),
      docs && { description: 'Why there is no usable answer. Null if there is one.', example: null },
    ),
    problems: field(
      z.array(HookAnswerError),
      docs && { description: 'The fields that the hook may not give.', example: [] },
    ),
    input: field(
      z.string(),
      docs && {
        description: 'What the function got, as JSON.',
        example: '{"version":1,"hook":"afterSignIn"}',
      },
    ),
    answer: field(
      z.nullable(z.string()),
      docs && {
        description: 'What it answered, as JSON. Null if there was nothing to read.',
        example: '{"decision":"refuse"}',
      },
    ),
    duration_ms: field(int32, docs && { description: 'How many milliseconds it took.', example: 84 }),
  },
  docs && {
    description: 'The result of a test call. Nothing was changed.',
    example: {
      verdict: 'refuse',
      message: 'Your contract has ended.',
      problem: null,
      problems: [],
      input: '{"version":1,"hook":"afterSignIn","is_test":true}',
      answer: '{"decision":"refuse","message":"Your contract has ended."}',
      duration_ms: 84,
    },
  },
)
export type HookTrialResult = z.output<typeof HookTrialResult>

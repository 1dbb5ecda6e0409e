import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { normalizeUsername } from '../../lib/accounts/names/names.ts'
import { closeCircuits } from '../../lib/features/hooks/circuits.ts'
import { readBeforeSignUpAnswer } from '../../lib/features/invitations/before-sign-up-answer.ts'
import { readAfterSignInAnswer } from '../../lib/features/sign-in/after-sign-in-answer.ts'
import { readAnswer } from '../../lib/hooks/check-answer.ts'
import {
  type AfterSignInAnswer,
  type AfterSignInInput,
  type BeforeSignUpInput,
  type BeforeTokenAnswer,
  type BeforeTokenInput,
  defineHook,
  type HookAnswers,
  HookError,
  type HookHandler,
  type HookInputs,
  type HookName,
  hookInputs,
  invokeHook,
} from '../../lib/hooks/index.ts'
import { hookNames } from '../../lib/kernel/settings/hooks.ts'
import type { JsonValue } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startHookFunctions } from '../support/hook-functions.ts'
import { addRelyingParty, getTokens } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* The package `@latchkey/hooks`: what products define and test their hooks with. */

const problemsOf = async (result: Promise<unknown>): Promise<readonly string[]> => {
  const error: unknown = await result.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof HookError) return error.problems
  throw new Error(`No HookError, but ${error}.`)
}
const { password } = hookInputs.afterSignIn
const { code } = hookInputs.beforeToken

describe('defineHook', () => {
  it('answers with what the product decides', async () => {
    const handler = defineHook('afterSignIn', async ({ user }) =>
      user.email_verified ? { decision: 'continue' } : { decision: 'refuse', message: 'Not yet.' },
    )
    expect(await handler(password)).toEqual({ decision: 'continue' })
    const unproven = { ...password, user: { ...password.user, email_verified: false } }
    expect(await handler(unproven, { awsRequestId: '1' })).toEqual({
      decision: 'refuse',
      message: 'Not yet.',
    })
  })

  it('passes on fields that a later service sends', async () => {
    const handler = defineHook('beforeToken', (input) => ({ claims: { test: JSON.stringify(input) } }))
    const { claims } = await handler({ ...code, is_test: true })
    expect(claims['test']).toContain('"is_test":true')
  })

  it('says for which hook it was called', async () => {
    const handler = defineHook('afterSignIn', () => ({ decision: 'continue' }))
    expect(await problemsOf(handler(code))).toEqual([
      'It was called for beforeToken. Set hooks.beforeToken to the function that answers beforeToken.',
    ])
    await expect(handler({ ...password, version: 2 })).rejects.toThrow(
      'The hook afterSignIn: The input has the version 2. Install a newer version of @latchkey/hooks.',
    )
    for (const event of [undefined, null, 'text', [], {}, { hook: '__proto__' }, { Records: [] }])
      expect(await problemsOf(handler(event))).toEqual([
        'The event is not the input of a hook: hook must be one of beforeSignUp, afterSignIn, beforeToken.',
      ])
  })

  it('takes no other name, and no hook without a function', () => {
    expect(() => defineHook('afterSignin' as 'afterSignIn', () => ({ decision: 'continue' }))).toThrow(
      '"afterSignin" is not a hook. Did you mean afterSignIn?',
    )
    expect(() => defineHook('constructor' as 'afterSignIn', () => ({ decision: 'continue' }))).toThrow(
      TypeError,
    )
    expect(() => defineHook('afterSignIn', undefined as never)).toThrow(
      'The hook afterSignIn needs a function that answers.',
    )
  })

  it('lets the log of the function say what is wrong with an answer', async () => {
    const handler = defineHook('afterSignIn', () => ({ decision: 'accept' }) as never)
    await expect(handler(password)).rejects.toThrow(
      'The hook afterSignIn: answer.decision must be "continue", "require_second_factor" or "refuse".',
    )
  })

  it('knows the hooks of the service', () => {
    expect(Object.keys(hookInputs)).toEqual([...hookNames])
  })
})

describe('invokeHook', () => {
  it('returns the answer as the service reads it, with the time that it took', async () => {
    const handler = defineHook('beforeToken', () => ({ claims: { plan: 'pro', seats: undefined as never } }))
    const { answer, durationMs } = await invokeHook(handler, code, { claims: ['plan'] })
    expect(answer).toEqual({ claims: { plan: 'pro' } })
    expect(durationMs).toBeGreaterThanOrEqual(0)
  })

  it('calls with a copy, so that recorded inputs stay', async () => {
    const handler = async (event: { user: { name: string } }) => {
      event.user.name = 'Mallory'
      return { decision: 'continue' }
    }
    await invokeHook(handler, password)
    expect(password.user.name).toBe('Ada Lovelace')
  })

  it('fails as the service does when there is no answer in time', async () => {
    const slow = () => new Promise(() => {})
    expect(await problemsOf(invokeHook(slow, password, { timeoutMs: 100 }))).toEqual([
      'There was no answer within 100 ms.',
    ])
    const blocking = async () => {
      const end = performance.now() + 120
      while (performance.now() < end);
      return { decision: 'continue' }
    }
    expect(await problemsOf(invokeHook(blocking, password, { timeoutMs: 100 }))).toEqual([
      'There was no answer within 100 ms.',
    ])
    await expect(invokeHook(slow, password, { timeoutMs: 50 })).rejects.toThrow(
      'timeoutMs must be from 100 to 5000, as in the settings.',
    )
    await expect(invokeHook(slow, password, { timeout: 100 } as never)).rejects.toThrow(
      '"timeout" is not an option of invokeHook.',
    )
  })

  it('says that the handler failed', async () => {
    const error = new Error('no database')
    const failing = () => {
      throw error
    }
    await expect(invokeHook(failing, password)).rejects.toMatchObject({
      problems: ['The handler failed: no database'],
      cause: error,
    })
  })

  it.each([
    [{ ...password, user: { ...password.user, email: 7 } }, ['input.user.email must be a text or null.']],
    [{ ...password, sign_in: undefined }, ['input.sign_in is missing.']],
    [
      { ...password, sign_in: { ...password.sign_in, methods: ['pwd', 7] } },
      ['input.sign_in.methods[1] must be a text.'],
    ],
    [
      { ...hookInputs.beforeSignUp.email, way: 'phone' },
      [expect.stringContaining('input.way must be "email",')],
    ],
  ])('refuses an input that the service does not send: %#', async (input, problems) => {
    expect(await problemsOf(invokeHook(() => ({ decision: 'accept' }), input as never))).toEqual(problems)
  })

  it.each<[keyof typeof inputs, unknown, readonly unknown[]]>([
    ['afterSignIn', undefined, ['answer must be an object.']],
    ['afterSignIn', [], ['answer must be an object.']],
    [
      'afterSignIn',
      { decision: 'continue', message: 'Hi' },
      [expect.stringMatching(/"message" is not a field/)],
    ],
    [
      'afterSignIn',
      { decision: 'refuse', message: 'x'.repeat(301) },
      ['answer.message has more than 300 characters.'],
    ],
    [
      'afterSignIn',
      { decision: 'refuse', message: 'Hi\u202e' },
      ['answer.message must be one line of visible characters.'],
    ],
    ['beforeToken', {}, ['answer.claims is missing.']],
    [
      'beforeToken',
      { claims: { plan: { name: 'pro' } } },
      ['answer.claims.plan must be a text, a number, a boolean or a list.'],
    ],
    ['beforeToken', { claims: { plan: [1] } }, ['answer.claims.plan[0] must be a text.']],
    [
      'beforeToken',
      { claims: { sub: '1' } },
      [expect.stringMatching(/^answer\.claims has "sub", which must not/)],
    ],
    [
      'beforeToken',
      { claims: { seats: 3 } },
      [expect.stringMatching(/"seats", which the setting claims .* does not list/)],
    ],
    [
      'beforeToken',
      { claims: { birthdate: 'soon' } },
      ['answer.claims.birthdate is no value of this claim of OpenID Connect.'],
    ],
    ['beforeToken', { claims: { plan: 'x'.repeat(2048) } }, ['answer.claims has more than 2048 bytes.']],
    ['beforeToken', { claims: { plan: 'x'.repeat(70_000) } }, ['The answer has more than 65536 bytes.']],
    [
      'beforeSignUp',
      { decision: 'accept', groups: ['Admins'] },
      [expect.stringMatching(/"Admins", which the setting groups/)],
    ],
    [
      'beforeSignUp',
      { decision: 'accept', attributes: { rank: 1 } },
      [expect.stringMatching(/"rank", which the setting attributes/)],
    ],
    [
      'beforeSignUp',
      { decision: 'accept', groups: ['customers', 'CUSTOMERS'] },
      ['answer.groups has "CUSTOMERS" twice.'],
    ],
    ['beforeSignUp', { decision: 'refuse', groups: [] }, [expect.stringMatching(/"groups" is not a field/)]],
    ['beforeSignUp', { decision: 'continue' }, ['answer.decision must be "accept" or "refuse".']],
  ])('refuses an answer of %s that the service does not use: %#', async (hook, answer, problems) => {
    const allowed = { claims: ['plan', 'birthdate'], groups: ['Customers'], attributes: ['plan'] }
    expect(await problemsOf(invokeHook(() => answer, inputs[hook] as never, allowed))).toEqual(problems)
  })
})

const inputs = { beforeSignUp: hookInputs.beforeSignUp.email, afterSignIn: password, beforeToken: code }

const accepts = (name: HookName, answer: unknown, claims?: readonly string[]): boolean => {
  try {
    readAnswer(name, answer, { claims })
    return true
  } catch {
    return false
  }
}

describe('the package judges as the service', () => {
  it('about any answer of afterSignIn', () => {
    const decisions = ['continue', 'require_second_factor', 'refuse', 'accept', '']
    const texts = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant('x'.repeat(301)))
    const answers = fc.oneof(
      fc.jsonValue(),
      fc.record(
        { decision: fc.constantFrom(...decisions), message: texts, other: fc.jsonValue() },
        { requiredKeys: ['decision'] },
      ),
    )
    fc.assert(
      fc.property(answers, (given) => {
        const answer: unknown = JSON.parse(JSON.stringify(given))
        expect([answer, accepts('afterSignIn', answer)]).toEqual([
          answer,
          readAfterSignInAnswer(answer) !== undefined,
        ])
      }),
    )
  })

  it('about any answer of beforeSignUp', () => {
    const values = fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.jsonValue())))
    const answers = fc.record(
      {
        decision: fc.constantFrom('accept', 'refuse', 'continue'),
        message: fc.oneof(fc.string(), fc.constant('Hi\u202e')),
        attributes: values,
        groups: fc.oneof(fc.uniqueArray(fc.string({ maxLength: 1 })), fc.jsonValue()),
        other: fc.constant(1),
      },
      { requiredKeys: ['decision'] },
    )
    fc.assert(
      fc.property(answers, (given) => {
        const answer: unknown = JSON.parse(JSON.stringify(given))
        const read = readBeforeSignUpAnswer(answer)
        // The service compares the names when it looks up the groups.
        const groups = read?.decision === 'accept' ? (read.groups ?? []).map(normalizeUsername) : []
        const isRead = read !== undefined && new Set(groups).size === groups.length
        expect([answer, accepts('beforeSignUp', answer)]).toEqual([answer, isRead])
      }),
    )
  })

  it('about answers of beforeToken', async () => {
    const functions = closeAfterTests(await startHookFunctions())
    const claims = ['plan', 'birthdate', 'given_name', 'regions', 'sub']
    const service = await useService(
      functions.settingsFor({ beforeToken: { claims: claims.slice(0, 4), onFailure: 'refuse' } }),
    )
    const party = await addRelyingParty(service, { scopes: ['openid', 'profile', 'attributes'] })
    const { bearer } = await addSignedIn(service)
    const values: readonly JsonValue[] = [
      ...['pro', '', 'x'.repeat(2100), '2026-01-31', 7, 0.5, true, null, [], ['eu'], ['eu', 1], [['eu']], {}],
    ]
    const answers: readonly JsonValue[] = [
      ...claims.flatMap((name) => values.map((value) => ({ claims: { [name]: value } }))),
      ...[{}, { claims: {} }, { claims: [] }, { claims: {}, more: 1 }, null, 'text', [], { claims: null }],
      JSON.parse('{"claims": {"__proto__": "x"}}'),
    ]
    for (const answer of answers) {
      closeCircuits()
      functions.answer(answer)
      const tokens = await getTokens(service, party, bearer, { scope: 'openid profile attributes' }).catch(
        () => undefined,
      )
      expect([answer, accepts('beforeToken', answer, claims.slice(0, 4))]).toEqual([
        answer,
        tokens?.id_token !== undefined,
      ])
    }
  })
})

it('the types follow from the name of the hook', () => {
  expectTypeOf<keyof HookInputs>().toEqualTypeOf<HookName>()
  expectTypeOf<HookInputs['beforeSignUp']>().toEqualTypeOf<BeforeSignUpInput>()
  expectTypeOf<HookInputs['afterSignIn']>().toEqualTypeOf<AfterSignInInput>()
  expectTypeOf<HookInputs['beforeToken']>().toEqualTypeOf<BeforeTokenInput>()
  expectTypeOf<HookAnswers['beforeToken']>().toEqualTypeOf<BeforeTokenAnswer>()
  expectTypeOf<BeforeSignUpInput['way']>().toEqualTypeOf<'email' | 'provider' | 'company' | 'invitation'>()
  expectTypeOf<AfterSignInAnswer['decision']>().toEqualTypeOf<
    'continue' | 'require_second_factor' | 'refuse'
  >()
  expectTypeOf(defineHook<'afterSignIn'>)
    .parameter(1)
    .parameter(0)
    .toEqualTypeOf<AfterSignInInput>()
  expectTypeOf(defineHook('beforeToken', () => ({ claims: {} }))).toEqualTypeOf<HookHandler<'beforeToken'>>()
  // @ts-expect-error A hook for tokens has claims.
  defineHook('beforeToken', () => ({ decision: 'continue' }))
  // @ts-expect-error There is no such decision.
  defineHook('afterSignIn', async () => ({ decision: 'accept' }))
  // @ts-expect-error A claim is no object.
  defineHook('beforeToken', () => ({ claims: { plan: { name: 'pro' } } }))
  expectTypeOf(invokeHook<'beforeToken'>)
    .returns.resolves.toHaveProperty('answer')
    .toEqualTypeOf<BeforeTokenAnswer>()
})

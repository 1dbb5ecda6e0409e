import type {
  PostAuthenticationTriggerHandler,
  PreSignUpTriggerEvent,
  PreSignUpTriggerHandler,
  PreTokenGenerationV2TriggerEvent,
  PreTokenGenerationV2TriggerHandler,
} from 'aws-lambda'
import { describe, expect, it } from 'vitest'
import { fromCognitoTrigger, HookError, hookInputs, invokeHook } from '../../lib/hooks/index.ts'

/* Handlers of Cognito's triggers as they are deployed today, which answer hooks without a change. */

const { email, provider, company, invitation } = hookInputs.beforeSignUp
const { password } = hookInputs.afterSignIn
const { code } = hookInputs.beforeToken

/** Returns the event that a handler gets. */
const record = async (input: unknown, options = {}): Promise<unknown> => {
  let event: unknown
  const handler = async (given: object) => {
    event = structuredClone(given)
    return given
  }
  await fromCognitoTrigger(handler, options)(input)
  return event
}

describe('a handler of PreSignUp', () => {
  /** Only people of the company may sign up, and need no code. */
  const preSignUp: PreSignUpTriggerHandler = async (event) => {
    const domain = event.request.userAttributes['email']?.split('@')[1]
    if (domain !== 'example.com') throw new Error('Only people of example.com can sign up.')
    event.response.autoConfirmUser = true
    event.response.autoVerifyEmail = true
    return event
  }
  const handler = fromCognitoTrigger(preSignUp)

  it('accepts and refuses as before', async () => {
    expect((await invokeHook(handler, email)).answer).toEqual({ decision: 'accept' })
    const stranger = { ...email, account: { ...email.account, email: 'mallory@evil.example' } }
    expect((await invokeHook(handler, stranger)).answer).toEqual({
      decision: 'refuse',
      message: 'Only people of example.com can sign up.',
    })
  })

  it('gets the event that Cognito sends', async () => {
    const attributes = { tier: 'gold', seats: 3, regions: ['eu', 'us'], nickname: 'Ada' }
    const account = { ...email.account, name: 'Ada L.', language: 'en', attributes }
    const named = { ...email, account }
    const options = { userPoolId: 'eu-central-1_pool', region: 'eu-central-1', clientId: 'films' }
    expect(await record(named, options)).toEqual({
      version: '1',
      triggerSource: 'PreSignUp_SignUp',
      region: 'eu-central-1',
      userPoolId: 'eu-central-1_pool',
      userName: 'ada',
      callerContext: { awsSdkVersion: expect.any(String), clientId: 'films' },
      request: {
        userAttributes: {
          ...{ preferred_username: 'ada', name: 'Ada L.', nickname: 'Ada', locale: 'en' },
          ...{ email: 'ada@example.com', email_verified: 'true' },
          ...{ 'custom:tier': 'gold', 'custom:seats': '3', 'custom:regions': 'eu,us' },
        },
        validationData: {},
        clientMetadata: {},
      },
      response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
    } satisfies PreSignUpTriggerEvent & { readonly triggerSource: 'PreSignUp_SignUp' })
  })

  it.each([
    [email, 'PreSignUp_SignUp'],
    [invitation, 'PreSignUp_SignUp'],
    [provider, 'PreSignUp_ExternalProvider'],
    [company, 'PreSignUp_ExternalProvider'],
  ])('is never asked as for an administrator: %#', async (input, triggerSource) => {
    expect(await record(input)).toMatchObject({ triggerSource })
  })

  it('verifies nothing that nobody proved', async () => {
    const verify = fromCognitoTrigger(async (event: PreSignUpTriggerEvent) => {
      event.response.autoVerifyEmail = true
      event.response.autoVerifyPhone = 'phone_number' in event.request.userAttributes
      return event
    })
    expect((await invokeHook(verify, email)).answer).toEqual({ decision: 'accept' })
    const unproven = { ...provider, account: { ...provider.account, email_verified: false } }
    await expect(invokeHook(verify, unproven)).rejects.toThrow('autoVerifyEmail has no equal')
    const attributes = { phone_number: '+491701234567' }
    const withPhone = { ...email, account: { ...email.account, attributes } }
    await expect(invokeHook(verify, withPhone)).rejects.toThrow('autoVerifyPhone has no equal')
  })
})

describe('a handler of PreTokenGeneration', () => {
  /** Adds the tenant of the user to both tokens. */
  const preTokenGeneration: PreTokenGenerationV2TriggerHandler = async (event) => {
    const claims = { tenant: event.request.userAttributes['sub'] ?? '', regions: ['eu'] as never }
    event.response = {
      claimsAndScopeOverrideDetails: {
        idTokenGeneration: { claimsToAddOrOverride: claims, claimsToSuppress: [] },
        accessTokenGeneration: { claimsToAddOrOverride: claims, scopesToAdd: [] },
        groupOverrideDetails: { groupsToOverride: event.request.groupConfiguration.groupsToOverride ?? [] },
      },
    }
    return event
  }

  it('adds claims as before, and finds people who were moved by their ID in the pool', async () => {
    const moved = { ...code, user: { ...code.user, external_id: '0b0f1c52-77aa' } }
    const { answer } = await invokeHook(fromCognitoTrigger(preTokenGeneration), moved, {
      claims: ['tenant', 'regions'],
    })
    expect(answer).toEqual({ claims: { tenant: '0b0f1c52-77aa', regions: ['eu'] } })
  })

  it('gets the event V2_0 that Cognito sends', async () => {
    expect(await record(code)).toMatchObject({
      version: '2',
      triggerSource: 'TokenGeneration_HostedAuth',
      userName: 'ada',
      callerContext: { clientId: code.client.client_id },
      request: {
        userAttributes: { sub: `latchkey:${code.user.id}`, email: 'ada@example.com', email_verified: 'true' },
        scopes: code.scopes,
        groupConfiguration: { groupsToOverride: [], iamRolesToOverride: [] },
      },
      response: { claimsAndScopeOverrideDetails: null },
    })
  })

  it('that changes nothing adds no claims', async () => {
    for (const response of [{}, { claimsAndScopeOverrideDetails: null }]) {
      const handler = fromCognitoTrigger(async (event: object) => ({ ...event, response }))
      expect((await invokeHook(handler, code)).answer).toEqual({ claims: {} })
    }
  })

  const answerWith = (details: object, options = {}) =>
    invokeHook(
      fromCognitoTrigger(
        async (event: object) => ({ ...event, response: { claimsAndScopeOverrideDetails: details } }),
        options,
      ),
      code,
    )
  const plan = { claimsToAddOrOverride: { plan: 'pro' } }

  it('that adds a claim to one kind of token has to say that both may have it', async () => {
    await expect(answerWith({ accessTokenGeneration: plan })).rejects.toThrow(
      'The claim plan is for access tokens alone. Here, it stands in both. Set sharesClaims if that is right.',
    )
    await expect(answerWith({ idTokenGeneration: plan })).rejects.toThrow('for ID tokens alone')
    const { answer } = await answerWith({ accessTokenGeneration: plan }, { sharesClaims: true })
    expect(answer).toEqual({ claims: { plan: 'pro' } })
  })

  it.each([
    [{ idTokenGeneration: { claimsToSuppress: ['email'] } }, 'claimsToSuppress has no equal'],
    [{ accessTokenGeneration: { scopesToAdd: ['films.edit'] } }, 'scopesToAdd has no equal'],
    [{ accessTokenGeneration: { scopesToSuppress: ['openid'] } }, 'scopesToSuppress has no equal'],
    [{ groupOverrideDetails: { groupsToOverride: ['Admins'] } }, 'groupsToOverride has no equal'],
    [{ groupOverrideDetails: { preferredRole: 'arn:aws:iam::1:role/x' } }, 'preferredRole has no equal'],
    [
      { idTokenGeneration: plan, accessTokenGeneration: { claimsToAddOrOverride: { plan: 'free' } } },
      'The claim plan has two values',
    ],
    [
      {
        idTokenGeneration: { claimsToAddOrOverride: { email: 'root@example.com' } },
        accessTokenGeneration: { claimsToAddOrOverride: { email: 'root@example.com' } },
      },
      'has "email", which must not be',
    ],
  ])('fails for what has no equal: %#', async (details, reason) => {
    await expect(answerWith(details)).rejects.toThrow(reason)
  })

  it('of the event V1_0 fails with what to answer instead', async () => {
    const handler = fromCognitoTrigger(async (event: object) => ({
      ...event,
      response: { claimsOverrideDetails: { claimsToAddOrOverride: { plan: 'pro' } } },
    }))
    await expect(invokeHook(handler, code)).rejects.toThrow('Answer with claimsAndScopeOverrideDetails.')
  })

  it('that throws fails, and refuses nobody: the settings say what follows', async () => {
    const handler = fromCognitoTrigger(async (_: PreTokenGenerationV2TriggerEvent) => {
      throw new Error('no such tenant')
    })
    await expect(invokeHook(handler, code)).rejects.toThrow('The handler failed: no such tenant')
  })
})

describe('a handler of PostAuthentication', () => {
  const blocked = new Set(['bob'])
  /** With a callback, as older functions have it. */
  const postAuthentication: PostAuthenticationTriggerHandler = (event, _, callback) => {
    if (blocked.has(event.userName)) callback(new Error('Your contract has ended.'), event)
    else callback(null, event)
  }
  const handler = fromCognitoTrigger(postAuthentication)

  it('lets people in, and refuses them, as before', async () => {
    expect((await invokeHook(handler, password)).answer).toEqual({ decision: 'continue' })
    const bob = { ...password, user: { ...password.user, username: 'bob' } }
    expect((await invokeHook(handler, bob)).answer).toEqual({
      decision: 'refuse',
      message: 'Your contract has ended.',
    })
  })

  it('gets the event that Cognito sends', async () => {
    expect(await record(password)).toMatchObject({
      version: '1',
      triggerSource: 'PostAuthentication_Authentication',
      userName: 'ada',
      request: { userAttributes: { email: 'ada@example.com', locale: 'en' }, newDeviceUsed: false },
      response: {},
    })
  })

  it('may call back although it is async', async () => {
    const both = async (event: object, _: unknown, callback: (error: null, result: object) => void) => {
      await Promise.resolve()
      callback(null, event)
    }
    expect((await invokeHook(fromCognitoTrigger(both), password)).answer).toEqual({ decision: 'continue' })
  })

  interface OldContext {
    readonly done: (error: unknown, result?: unknown) => void
    readonly succeed: (result: unknown) => void
    readonly fail: (error: unknown) => void
  }

  it('may end by its context', async () => {
    const endings = [
      (event: object, context: OldContext) => context.done(null, event),
      (event: object, context: OldContext) => context.succeed(event),
    ]
    for (const old of endings)
      expect((await invokeHook(fromCognitoTrigger(old), password)).answer).toEqual({ decision: 'continue' })
    const failing = fromCognitoTrigger((_: object, context: OldContext) => context.fail('Not today.'))
    expect((await invokeHook(failing, password)).answer).toEqual({
      decision: 'refuse',
      message: 'Not today.',
    })
  })

  const throwing = (error: unknown, options = {}) =>
    invokeHook(
      fromCognitoTrigger(async () => {
        throw error
      }, options),
      password,
    )

  it('shows no words of an error of a library, which is a failure', async () => {
    const unreachable = Object.assign(new Error('connect ECONNREFUSED 10.0.0.3'), { code: 'ECONNREFUSED' })
    for (const error of [unreachable, new TypeError('x is undefined'), { message: 'odd' }])
      await expect(throwing(error)).rejects.toThrow('The handler failed')
    const isRefusal = (error: unknown) => error instanceof RangeError
    expect((await throwing(new RangeError('Too many devices.'), { isRefusal })).answer).toMatchObject({
      decision: 'refuse',
    })
  })

  it('refuses without words if they cannot be shown', async () => {
    for (const message of ['', 'two\nlines', 'x'.repeat(301), 'Hi\u202e'])
      expect((await throwing(new Error(message))).answer).toEqual({ decision: 'refuse' })
  })

  it('has to return its event', async () => {
    for (const result of [null, 'yes', {}, { response: null }])
      await expect(
        invokeHook(
          fromCognitoTrigger(async () => result),
          password,
        ),
      ).rejects.toThrow('The handler returned no event.')
  })
})

describe('fromCognitoTrigger', () => {
  const handler = fromCognitoTrigger(async (event: object) => event)

  it('takes the input of a hook, and no event of Cognito', async () => {
    await expect(handler({ triggerSource: 'PreSignUp_SignUp', request: {} })).rejects.toThrow(HookError)
    await expect(handler({ ...password, version: 2 })).rejects.toThrow('Install a newer version')
  })

  it('takes no option that does not exist', () => {
    expect(() => fromCognitoTrigger(async () => ({}), { sharedClaims: true } as never)).toThrow(
      'Did you mean sharesClaims?',
    )
  })

  it('leaves the event of each call to itself', async () => {
    const adding = fromCognitoTrigger(async (event: PreSignUpTriggerEvent) => {
      expect(event.request.userAttributes['seen']).toBeUndefined()
      event.request.userAttributes['seen'] = 'yes'
      return event
    })
    await Promise.all(Array.from({ length: 100 }, () => invokeHook(adding, email)))
    expect(email.account.attributes).toEqual({})
  })

  it('has attributes with any name, and no inherited ones', async () => {
    const attributes = JSON.parse('{"__proto__": "x", "constructor": "y"}')
    const event = (await record({ ...email, account: { ...email.account, attributes } })) as {
      readonly request: { readonly userAttributes: object }
    }
    expect(Object.keys(event.request.userAttributes)).toContain('custom:__proto__')
    expect(Object.getPrototypeOf(event.request.userAttributes)).toBe(Object.prototype)
  })
})

import { findStandardClaim } from '../features/oauth/claim-names.ts'
import type { HookInputs, HookName } from './generated/hook-types.ts'

/* The events that Cognito would send to its triggers, from the inputs of hooks. */

/** What an event has that no input says. */
export interface PoolFacts {
  readonly userPoolId: string
  readonly region: string
  readonly clientId: string
}

interface Parts {
  readonly triggerSource: string
  readonly userName: string
  readonly clientId?: string
  readonly request: object
  readonly response: object
}

/** Builds the event of the trigger that the hook replaces. Handlers may change it. */
export const buildCognitoEvent = (
  name: HookName,
  input: HookInputs[HookName],
  { userPoolId, region, clientId: defaultClient }: PoolFacts,
): object => {
  const { clientId = defaultClient, ...parts } = builders[name](input as never)
  return {
    version: name === 'beforeToken' ? '2' : '1',
    region,
    userPoolId,
    callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId },
    ...parts,
  }
}

const builders: { readonly [Name in HookName]: (input: HookInputs[Name]) => Parts } = {
  beforeSignUp: ({ way, account }) => ({
    // An invitation of an organization is no act of an administrator, so that checks of a handler apply to it.
    triggerSource:
      way === 'provider' || way === 'company' ? 'PreSignUp_ExternalProvider' : 'PreSignUp_SignUp',
    userName: account.username ?? account.email ?? '',
    request: { userAttributes: describeAccount(account), validationData: {}, clientMetadata: {} },
    response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
  }),
  afterSignIn: ({ user }) => ({
    triggerSource: 'PostAuthentication_Authentication',
    userName: user.username,
    request: { userAttributes: describeUser(user), newDeviceUsed: false, clientMetadata: {} },
    response: {},
  }),
  beforeToken: ({ user, client, scopes }) => ({
    triggerSource: 'TokenGeneration_HostedAuth',
    userName: user.username,
    clientId: client.client_id,
    request: {
      userAttributes: describeUser(user),
      scopes: [...scopes],
      // The input of the hook has no groups, and gives no roles of AWS.
      groupConfiguration: { groupsToOverride: [], iamRolesToOverride: [], preferredRole: null },
      clientMetadata: {},
    },
    response: { claimsAndScopeOverrideDetails: null },
  }),
}

/**
 * The attributes of a user. All values are texts in Cognito. A user who was moved from there has the ID of before as `sub`, which the
 * tables of the product know.
 */
const describeUser = (user: HookInputs['afterSignIn']['user']): Readonly<Record<string, string>> =>
  describe({
    sub: user.external_id ?? `latchkey:${user.id}`,
    'cognito:user_status': 'CONFIRMED',
    preferred_username: user.username,
    name: user.name,
    email: user.email,
    email_verified: user.email === null ? null : String(user.email_verified),
    locale: user.language,
  })

/** Attributes of OpenID Connect have their names in Cognito as well. All others are custom. */
const describeAccount = (
  account: HookInputs['beforeSignUp']['account'],
): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.entries(account.attributes).map(([name, value]) => [
      findStandardClaim({ name, place: 'top' }) ? name : `custom:${name}`,
      String(value),
    ]),
  ),
  ...describe({
    preferred_username: account.username,
    name: account.name,
    email: account.email,
    email_verified: account.email === null ? null : String(account.email_verified),
    locale: account.language,
  }),
})

const describe = (values: Readonly<Record<string, string | null>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
  )

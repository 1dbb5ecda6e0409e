import { globSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { closeCircuits } from '../../lib/features/hooks/circuits.ts'
import { operations } from '../../lib/features/operations.ts'
import type { Operation } from '../../lib/kernel/contract/operation.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startExamples } from '../support/example-requests.ts'
import { startHookFunctions } from '../support/hook-functions.ts'

/*
 * Everything that creates an account either asks the hook `beforeSignUp`, or is decided here. It asks about accounts that a person begins, or
 * a provider for them. It does not about those that other people or programs create.
 */

type Decision = 'asked' | 'not asked'

/** The operations that can create an account, or a person of a directory. */
const decided: Readonly<Record<string, Decision>> = {
  complete_sign_up: 'asked',
  complete_invited_sign_up: 'asked',
  receive_saml_auth_assertion: 'asked',
  receive_oidc_answer: 'asked',
  receive_oidc_answer_by_form: 'asked',
  answer_sign_in_question: 'asked',
  // Administrators, and programs in their name. An approved person was asked about before.
  create_user: 'not asked',
  approve_sign_up: 'not asked',
  // Directories send people. Their accounts begin with their first sign-in, which asks.
  create_scim_resource: 'not asked',
  // Guests of an access link have no account.
  create_access_token: 'not asked',
  share_media_library_objects: 'not asked',
}

/** The files that write new accounts. */
const writers: Readonly<Record<string, Decision>> = {
  'lib/features/invitations/create-account.ts': 'asked',
  'lib/features/connections/create-user.ts': 'asked',
  'lib/features/invitations/sign-up-requests.use-cases.ts': 'not asked',
  'lib/features/directory/users/create-user.use-cases.ts': 'not asked',
  'lib/features/directory/users/import-user.ts': 'not asked',
  'lib/features/directory/users/first-admin.ts': 'not asked',
  'lib/features/access-links/create.use-cases.ts': 'not asked',
}

const creates = ({ audit = [] }: Operation) =>
  audit.some((event) => event === 'user.created' || event === 'scim.user_created')

it('each operation that creates an account is decided', () => {
  const creating = operations.filter(creates).map(({ id }) => id)
  expect(creating.sort()).toEqual(Object.keys(decided).sort())
})

it('each file that writes new accounts is decided', () => {
  const imported = /import \{([^}]*)\} from '[^']*(?:write-users|plan-new-user)\.records\.ts'/g
  const creating = /\b(?:createUser|createUserWithId|buildNewUserSteps|planNewUser)\b/
  const found = globSync(['lib/*.ts', 'lib/features/**/*.ts', 'functions/**/*.ts', 'local/**/*.ts']).filter(
    (file) =>
      [...readFileSync(file, 'utf8').matchAll(imported)].some(([, names = '']) => creating.test(names)),
  )
  expect(found.sort()).toEqual(Object.keys(writers).sort())
})

it('operations that ask declare that the hook can refuse', () => {
  const declaring = operations.filter(({ audit = [] }) => audit.includes('hook.refused')).map(({ id }) => id)
  const asking = Object.entries(decided).flatMap(([id, decision]) => (decision === 'asked' ? [id] : []))
  expect(declaring.sort()).toEqual(asking.sort())
})

const functions = closeAfterTests(await startHookFunctions())
const live = closeAfterTests(await startExamples(functions.settingsFor({ beforeSignUp: {} })))
beforeEach(closeCircuits)

describe.each(Object.entries(decided))('%s is %s', (id, decision) => {
  it(
    decision === 'asked' ? 'and creates no account that the hook refuses' : 'whatever the hook would say',
    async () => {
      const op = operations.find((one) => one.id === id)
      if (!op) throw new Error(`There is no operation ${id}.`)
      functions.answer({ decision: 'accept' })
      const request = await live.prepare(op)
      functions.questions.length = 0
      functions.answer({ decision: 'refuse' })
      const { status } = await live.send(request)
      if (decision === 'asked') expect([status, functions.questions.length]).toEqual([403, 1])
      else expect([status < 300, functions.questions.length]).toEqual([true, 0])
    },
  )
})

import { expect, it } from 'vitest'
import { callHooks } from '../../infra/parts/hooks.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startHookFunctions } from '../support/hook-functions.ts'
import { addPerson, addSignedIn, trySignIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A hook with `enabled: false` in its settings: the console shows it, and cannot call it or turn it on. */

const functions = closeAfterTests(await startHookFunctions())
const service = await useService({
  DISABLED_HOOKS: functions.settingsFor({ afterSignIn: { timeoutMs: 500 } }).HOOKS,
})
const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = (method: string, path: string, body?: object) =>
  service.client(method, `/api/2/hooks${path}`, { bearer, body })

it('is shown as disabled, and nothing in the console changes that', async () => {
  const person = await addPerson(service)
  for (const turnedOff of [true, false])
    expect((await call('PATCH', '/afterSignIn', { turned_off: turnedOff })).status).toBe(409)
  expect((await call('POST', '/afterSignIn/try', { user: person.user.id })).status).toBe(409)
  expect((await trySignIn(service, person)).status).toBe(200)
  expect(functions.questions).toEqual([])
  const { body } = await call('GET', '')
  expect(body.map(({ state }: { readonly state: string }) => state)).toEqual([
    'not_configured',
    'disabled',
    'not_configured',
  ])
  expect(body[1]).toMatchObject({ timeout_ms: 500, turned_off: null })
})

it('is given to the function of the console alone, which may not invoke it', () => {
  const arn = 'arn:aws:lambda:eu-west-1:000000000000:function:after:live'
  const hooks = { afterSignIn: { function: arn, enabled: false } }
  const props = { environment: {} }
  expect(callHooks(props, 'sessions', hooks)).toEqual(props)
  const { environment, statements } = callHooks({ ...props, statements: [] }, 'hooks', hooks)
  expect(environment).toEqual({ DISABLED_HOOKS: JSON.stringify(hooks) })
  expect(statements).toEqual([])
})

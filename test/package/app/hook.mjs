import { defineHook, fromCognitoTrigger, HookError, hookInputs, invokeHook } from '@latchkey/hooks'

/* A module of local mode, which a test of the product calls as well. */
export const handler = defineHook('afterSignIn', async ({ user }) =>
  user.username === 'ada'
    ? { decision: 'continue' }
    : { decision: 'refuse', message: `Not ${user.username}.` },
)

const { password } = hookInputs.afterSignIn
const mallory = { ...password, user: { ...password.user, username: 'mallory' } }
const answers = []
for (const input of [password, mallory]) answers.push((await invokeHook(handler, input)).answer)
const wrong = await handler(hookInputs.beforeToken.code).catch((error) => error instanceof HookError)
const old = fromCognitoTrigger((event, _, callback) => callback(null, event))
process.stdout.write(JSON.stringify({ answers, wrong, old: (await invokeHook(old, password)).answer }))

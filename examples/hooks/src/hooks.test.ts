import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { hookInputs, invokeHook } from '@latchkey/hooks'
import { handler as afterSignIn } from './after-sign-in.ts'
import { handler as beforeSignUp } from './before-sign-up.ts'
import { handler as beforeToken } from './before-token.ts'

/* The inputs are those that a service sent. Tests change what matters to them. */

const settings = { groups: ['Customers'], claims: ['role', 'plan'] }

test('customers sign up, and others do not', async () => {
  const { email } = hookInputs.beforeSignUp
  const signUp = async (address: string) => {
    const account = { ...email.account, email: address }
    return (await invokeHook(beforeSignUp, { ...email, account }, settings)).answer
  }
  deepEqual(await signUp('Grace@example.com'), { decision: 'accept', groups: ['Customers'] })
  equal((await signUp('mallory@example.com')).decision, 'refuse')
})

test('the contract and the role decide about a sign-in', async () => {
  const { password } = hookInputs.afterSignIn
  const signIn = async (email: string | null) => {
    const user = { ...password.user, email }
    return (await invokeHook(afterSignIn, { ...password, user }, settings)).answer.decision
  }
  equal(await signIn('ada@example.com'), 'continue')
  equal(await signIn('bob@example.com'), 'refuse')
  equal(await signIn('carol@example.com'), 'require_second_factor')
  equal(await signIn(null), 'continue')
})

test('tokens have the role and the plan', async () => {
  const { code } = hookInputs.beforeToken
  const { answer } = await invokeHook(beforeToken, code, settings)
  deepEqual(answer.claims, { role: 'buyer', plan: 'pro' })
})

const { defineHook, hookInputs, invokeHook } = require('@latchkey/hooks')

exports.handler = defineHook('beforeToken', () => ({ claims: { plan: 'pro' } }))
invokeHook(exports.handler, hookInputs.beforeToken.code).then(({ answer }) => {
  console.log(JSON.stringify(answer))
})

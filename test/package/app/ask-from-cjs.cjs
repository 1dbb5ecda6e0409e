const client = require('@latchkey/client')
const middleware = require('@latchkey/middleware')
const { ask } = require('./ask.cjs')

ask({ ...client, ...middleware })

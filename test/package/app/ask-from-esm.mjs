import * as client from '@latchkey/client'
import * as middleware from '@latchkey/middleware'
import { ask } from './ask.cjs'

await ask({ ...client, ...middleware })

import { pages } from '../../lib/contract/operations/pages.ts'
import { handlerFor } from '../../lib/http/handler.ts'
import { linkPage } from './link.ts'
import { getOpenApi } from './open-api.ts'
import { resetPage } from './reset.ts'
import { signInPage } from './sign-in.ts'

export const handler = handlerFor(pages, { signInPage, resetPage, linkPage, getOpenApi })

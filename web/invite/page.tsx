import '../kit/kit.css'
import { startPage } from '../kit/start-page.tsx'
import { InvitePage } from './invite-page.tsx'
import { watchToken } from './kept-token.ts'

watchToken()
await startPage(InvitePage)

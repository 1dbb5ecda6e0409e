import '../kit/kit.css'
import { newPasswordMessages } from '../kit/new-password/messages.ts'
import { startPage } from '../kit/start-page.tsx'
import { InvitePage } from './invite-page.tsx'
import { watchToken } from './kept-token.ts'
import { inviteMessages } from './messages.ts'

watchToken()
await startPage(InvitePage, [inviteMessages, newPasswordMessages])

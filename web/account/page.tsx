import '../kit/kit.css'
import '../kit/app-page.css'
import './page.css'
import { pageData } from '../kit/page-data.ts'
import { startPage } from '../kit/start-page.tsx'
import { sessionMessages } from '../session-kit/messages.ts'
import { AccountPage } from './account-page.tsx'
import { GuestPage } from './guest-page.tsx'
import { accountMessages } from './messages.ts'

await startPage(pageData.account ? AccountPage : GuestPage, [accountMessages, sessionMessages])

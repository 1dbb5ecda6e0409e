import '../kit/kit.css'
import '../kit/app-page.css'
import './page.css'
import { pageData } from '../kit/page-data.ts'
import { startPage } from '../kit/start-page.tsx'
import { AccountPage } from './account-page.tsx'
import { GuestPage } from './guest-page.tsx'

await startPage(pageData.account ? AccountPage : GuestPage)

import '../kit/kit.css'
import './layout.css'
import './content.css'
import './values.css'
import './branding.css'
import { startPage } from '../kit/start-page.tsx'
import { sessionMessages } from '../session-kit/messages.ts'
import { AdminPage } from './admin-page.tsx'
import { consoleMessages } from './kit/messages.ts'

await startPage(AdminPage, [consoleMessages, sessionMessages])

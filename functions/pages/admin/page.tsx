import '../kit/kit.css'
import './layout.css'
import './content.css'
import { startPage } from '../kit/start-page.tsx'
import { AdminPage } from './admin-page.tsx'
import { consoleMessages } from './kit/messages.ts'

await startPage(AdminPage, [consoleMessages])

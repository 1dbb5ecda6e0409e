import '../kit/kit.css'
import './layout.css'
import './content.css'
import './values.css'
import './branding.css'
import { startPage } from '../kit/start-page.tsx'
import { AdminPage } from './admin-page.tsx'

await startPage(AdminPage)

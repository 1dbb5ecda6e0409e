import '../kit/kit.css'
import { newPasswordMessages } from '../kit/new-password/messages.ts'
import { startPage } from '../kit/start-page.tsx'
import { useLinkState } from '../kit/use-link-state.ts'
import { resetMessages } from './messages.ts'
import { ResetPage } from './reset-page.tsx'

const Page = () => {
  const link = useLinkState()
  return link ? <ResetPage key={link.visit} state={link.state} /> : null
}

await startPage(Page, [resetMessages, newPasswordMessages])

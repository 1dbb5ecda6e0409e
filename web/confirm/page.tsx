import '../kit/kit.css'
import { startPage } from '../kit/start-page.tsx'
import { useLinkState } from '../kit/use-link-state.ts'
import { ConfirmPage } from './confirm-page.tsx'
import { confirmMessages } from './messages.ts'

const Page = () => {
  const link = useLinkState()
  return link ? <ConfirmPage key={link.visit} state={link.state} /> : null
}

await startPage(Page, [confirmMessages])

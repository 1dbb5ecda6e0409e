import '../kit/kit.css'
import { startPage } from '../kit/start-page.tsx'
import { useLinkState } from '../kit/use-link-state.ts'
import { ResetPage } from './reset-page.tsx'

const Page = () => {
  const link = useLinkState()
  return link ? <ResetPage key={link.visit} state={link.state} /> : null
}

await startPage(Page)

import '../kit/kit.css'
import { startPage } from '../kit/start-page.tsx'
import { useLinkState } from '../kit/use-link-state.ts'
import { LinkPage } from './link-page.tsx'

const Page = () => {
  const link = useLinkState()
  return link ? <LinkPage key={link.visit} state={link.state} /> : null
}

await startPage(Page)

import { addCopyButton, connectAnchors } from './copy.ts'
import { markCurrentPlace } from './current-place.ts'
import { connectMenu } from './menu.ts'
import { connectSearch } from './search.ts'
import { addTryIt } from './try-it.ts'

document.documentElement.classList.add('scripted')
for (const block of document.querySelectorAll('pre')) addCopyButton(block)
connectAnchors()
connectMenu()
connectSearch()
markCurrentPlace()
// The service permits calls from this page by its setting `API_REFERENCE`.
if (document.body.dataset['calls'] === 'on')
  for (const section of document.querySelectorAll<HTMLElement>('section.operation')) addTryIt(section)

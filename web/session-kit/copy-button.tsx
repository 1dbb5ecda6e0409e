import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { messagesOf } from '../kit/messages.ts'
import './copy-button.css'

const t = messagesOf('session')

interface CopyButtonProps {
  readonly text: string
  /** What is copied, for screen readers. */
  readonly label: string
}

/** Copies a text to the clipboard. If the browser refuses, the person selects the text and copies it. */
export const CopyButton = ({ text, label }: CopyButtonProps) => {
  const [result, setResult] = useState('')
  const copy = async () => {
    setResult('')
    try {
      await navigator.clipboard.writeText(text)
      setResult(t('copied'))
    } catch {
      setResult(t('notCopied'))
    }
  }
  return (
    <>
      <Button look="secondary" onClick={copy}>
        {t('copy')}
        <span class="for-screen-readers"> {label}</span>
      </Button>
      <span role="status">{result}</span>
    </>
  )
}

/** Longer than a browser takes to begin with a file, also after it asked the person where to put it. */
const savingMs = 60_000

/** Has the browser save a file. It reads the content after the click: some save nothing if the address ends before. */
export const saveFile = (name: string, content: Blob): void => {
  const url = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), savingMs)
}

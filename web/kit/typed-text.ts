import { useState } from 'preact/hooks'

interface TypedText<Value> {
  readonly value: Value
  readonly format: (value: Value) => string
  readonly parse: (text: string) => Value
  readonly onChange: (value: Value, text: string) => void
}

/** A value as the text of its field. The text stays as it was typed until the value becomes another one. */
export const useTypedText = <Value>({ value, format, parse, onChange }: TypedText<Value>) => {
  const [typed, setTyped] = useState<string | undefined>()
  return {
    value: typed !== undefined && isSame(parse(typed), value) ? typed : format(value),
    onChangeValue: (text: string): void => {
      setTyped(text)
      onChange(parse(text), text)
    },
  }
}

/** Compares values as the JSON that is sent. */
export const isSame = (first: unknown, second: unknown): boolean =>
  JSON.stringify(first) === JSON.stringify(second)

import { answerEntry, answerExit } from '@/lib/server/entry'

export const dynamic = 'force-dynamic'

export const POST = (request: Request) => answerEntry(request)
export const DELETE = answerExit

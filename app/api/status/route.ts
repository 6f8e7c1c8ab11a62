import { answerStatus } from '@/lib/server/info'

export const dynamic = 'force-dynamic'

export const GET = answerStatus

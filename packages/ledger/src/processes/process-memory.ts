import { totalmem } from 'node:os';
import { createMemoryRoom, roomIn } from '../memory-room.ts';

/** The memory of the machine, or the limit of the container. */
function memoryOfProcess(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** The memory limit for all cached sessions of a server, across organisations. */
export const processMemory = createMemoryRoom(roomIn(memoryOfProcess()));

import { test } from 'vitest';
import { openMemory } from '../../src/app/open-memory.js';
import { makeTempVault } from '../temp-vault.js';
import { Session } from 'node:inspector/promises';
import { writeFileSync } from 'node:fs';
test('x', { timeout: 100000 }, async () => {
  const files: Record<string, string> = { 'Hub.md': '# Hub\n' };
  const links = ['[[Hub]]', '[[Hub|the hub]]', '![[Hub#Hub]]', '[hub](../Hub.md)'];
  for (let i = 0; i < 1_000; i += 1) files[`notes/n${i}.md`] = `# Note ${i}\n\nSome words.\n\nSee ${links[i % links.length]} here.\n\nMore words.\n`;
  const vault = makeTempVault(files);
  const memory = await openMemory(vault.root);
  await memory.reindex({});
  const s = new Session(); s.connect(); await s.post('Profiler.enable'); await s.post('Profiler.setSamplingInterval', { interval: 500 }); await s.post('Profiler.start');
  const t = performance.now();
  await memory.move({ note: 'Hub', to: 'places/Centre.md' });
  console.log('move', performance.now() - t);
  const { profile } = await s.post('Profiler.stop') as any; writeFileSync('/tmp/writer/move.cpuprofile', JSON.stringify(profile));
  await memory.close();
});

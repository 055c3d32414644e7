// The drawings in assets/pieces, which the build puts into the bundle: 45 units wide and high.
import { drawings } from 'virtual:pieces';
export function pieceDrawing(asset: string): string | undefined {
  return drawings[asset.replace(/^.*\//, '').replace(/\.svg$/, '')];
}

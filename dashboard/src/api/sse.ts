export interface ServerEvent {
  event: string;
  data: string;
}

/**
 * Cuts the text of an event stream into events. Text comes in pieces that end anywhere, so what is not complete yet is
 * kept for the next piece.
 */
export class EventCutter {
  private rest: string[] = [];
  private event = '';
  private data: string[] = [];
  private afterReturn = false;

  push(piece: string): ServerEvent[] {
    const events: ServerEvent[] = [];
    let start = 0;
    for (let end = next(piece, 0); end >= 0; end = next(piece, start)) {
      // A line feed right after a carriage return belongs to it, also across two pieces.
      const second = piece[end] === '\n' && end === start && this.rest.length === 0 && this.afterReturn;
      if (!second) {
        this.line(this.rest.join('') + piece.slice(start, end), events);
        this.rest = [];
      }
      this.afterReturn = piece[end] === '\r';
      start = end + 1;
    }
    if (start < piece.length) {
      this.rest.push(piece.slice(start));
      this.afterReturn = false;
    }
    return events;
  }

  private line(line: string, events: ServerEvent[]): void {
    if (line === '') {
      if (this.data.length > 0) {
        events.push({ event: this.event || 'message', data: this.data.join('\n') });
      }
      this.event = '';
      this.data = [];
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) {
      return; // a comment, which only keeps the line open
    }
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') {
      this.event = value;
    } else if (field === 'data') {
      this.data.push(value);
    }
  }
}

function next(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  const carriage = text.indexOf('\r', from);
  return feed < 0 ? carriage : carriage < 0 ? feed : Math.min(feed, carriage);
}

package usage

// Merge adds what o counted, as if its spans had been added to d; o stays as it is. A day
// with another date changes nothing. Both must have the same Pricing: o's credits are
// taken as they were counted.
func (d *Day) Merge(o *Day) {
	if o.from != d.from {
		return
	}
	users := d.users.merge(&o.users, (*user).merge)
	sessions := d.sessions.merge(&o.sessions, nil)
	for i, id := range sessions {
		d.mergeSession(&d.sessions.rows[id], o.sessions.rows[i], users)
	}
	models, clients := d.models.merge(&o.models, nil), d.clients.merge(&o.clients, nil)
	languages := d.languages.merge(&o.languages, addCount)
	d.tools.merge(&o.tools, addCount)
	d.servers.merge(&o.servers, addCount)
	d.skills.merge(&o.skills, addCount)
	d.commands.merge(&o.commands, addCount)
	d.extensions.merge(&o.extensions, addCount)
	for h, n := range o.hooks {
		*d.hookCount(h) += *n
	}
	for k, from := range o.uses {
		key := useKey{users[k.user], models[k.model], k.thinking}
		if d.uses[key] == nil {
			d.uses[key] = &use{}
		}
		d.uses[key].add(*from)
	}
	for p, n := range o.files {
		d.files[pair{users[p.user], languages[p.other]}] += n
	}
	for p := range o.on {
		d.on[pair{users[p.user], clients[p.other]}] = struct{}{}
	}
	for p := range o.started {
		d.started[pair{users[p.user], sessions[p.other]}] = struct{}{}
	}
}

func (d *Day) mergeSession(into *session, from session, users []uint32) {
	into.toolCalls += from.toolCalls
	into.userMessages += from.userMessages
	into.startSpan = into.startSpan || from.startSpan
	d.begun(into, from.firstAt, users[from.first])
}

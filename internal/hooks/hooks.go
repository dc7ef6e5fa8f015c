// Package hooks carries hook events of the agent from hooks.json to the service.
//
// It reads and writes hooks.json (C214), runs the commands of an event the way the agent
// does (C211), and delivers events as spans. A delivery never holds up the agent: the event
// is kept in a spool on disk before the network is tried, with the identity under which the
// service counts it once, and whatever cannot be sent now is sent by a later one.
package hooks

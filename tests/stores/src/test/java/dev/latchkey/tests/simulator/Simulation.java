package dev.latchkey.tests.simulator;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.redis.NodeTraces;
import dev.latchkey.auth.spring.login.SimulatedNode;
import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.LocalRevocationSettings;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The history of a seed: nodes, clients, and a server with faults. */
final class Simulation {

    static final String SERVICE = "shop";
    static final String OTHER_SERVICE = "bank";
    private static final Instant EPOCH = Instant.parse("2026-11-21T10:00:00.300Z");
    private static final String[] SUBJECTS = {"ann", "bob"};

    /** One node through all starts. */
    final class Site {

        final String name;
        final String service;
        private final NodeTraces traces = new NodeTraces();
        private long offset;
        int incarnation;
        private SimulatedNode node;

        Site(String name, String service) {
            this.name = name;
            this.service = service;
            this.offset = offset();
            this.node = start();
        }

        Instant clock() {
            return EPOCH.plusNanos(schedule.nanos() + offset);
        }

        private Op.At now() {
            return new Op.At(name, incarnation, service, clock());
        }

        private SimulatedNode start() {
            String seen = fault == Fault.SERVICES_SHARE ? SERVICE : service;
            NodeTraces kept = setting.isDatabase() ? null : traces;
            LocalRevocationSettings settings = LocalRevocationSettings.defaults();
            LocalRevocations copy = VirtualTime.copyOf(
                    new ServerRevocations(calls, seen, name, kept, fault, Setting.CALL),
                    fault == Fault.COPY_IS_NEVER_STALE ? settings.withStaleAfter(Duration.ofDays(1)) : settings,
                    this::clock,
                    schedule::nanos);
            RevocationStore revocations = FaultyRevocations.with(fault, copy);
            return new SimulatedNode(
                    this::clock,
                    new ServerLogins(calls, seen, this::clock, setting.waits(), fault, Setting.CALL),
                    copy,
                    revocations,
                    setting.properties(fault),
                    () -> fault == Fault.DEADLINE_PER_CALL
                            ? VirtualTime.withoutEnd()
                            : VirtualTime.ofARequest(schedule::nanos),
                    pause -> schedule.sleep(pause.toNanos()));
        }

        private void restart() {
            incarnation++;
            node = start();
        }

        private void setClock() {
            offset = offset();
        }
    }

    final long seed;
    final Setting setting;
    final List<Op> ops = new ArrayList<>();
    final List<Session> sessions = new ArrayList<>();

    /** When the logins that were acknowledged may have got lost, by the schedule's numbers; when the revocations. */
    final List<Integer> lostLogins = new ArrayList<>();

    final List<Integer> lostRevocations = new ArrayList<>();

    /** Events without a client, for the reader of the history. */
    final List<String> events = new ArrayList<>();

    final Server server = new Server();
    private final Fault fault;
    private final SplittableRandom random;
    private final Schedule schedule;
    private final Calls calls;
    private final List<Site> sites = new ArrayList<>();

    private Simulation(long seed, Fault fault, Schedule.Threads threads) {
        this.seed = seed;
        this.fault = fault;
        this.random = new SplittableRandom(seed);
        this.setting = Setting.drawn(random);
        this.schedule = new Schedule(random, threads, this::weather);
        this.calls = new Calls(server, schedule, random, setting.isDatabase(), setting.delays(), setting.lostAnswers());
        for (int i = 0; i < setting.nodes(); i++) {
            sites.add(new Site("n" + i, SERVICE));
        }
        if (setting.hasOtherService()) {
            sites.add(new Site("m", OTHER_SERVICE));
        }
    }

    static Simulation run(long seed, Fault fault, Schedule.Threads threads) {
        Simulation simulation = new Simulation(seed, fault, threads);
        simulation.run();
        return simulation;
    }

    /** What the checker reads. */
    History history() {
        return new History(setting, ops, sessions, lostLogins, lostRevocations, this::isLive);
    }

    private boolean isLive(Session session) {
        Server.Tables tables = server.of(session.service);
        return tables.logins.containsKey(session.id)
                && !tables.positions.containsKey(IdDigest.ofToken(session.id))
                && !tables.logins
                        .get(session.id)
                        .startedAt()
                        .isBefore(tables.boundOf(IdDigest.ofSubject(session.subject)));
    }

    private void run() {
        List<Runnable> tasks = new ArrayList<>();
        for (int i = 0; i < setting.clients(); i++) {
            tasks.add(this::client);
        }
        tasks.add(this::reader);
        schedule.run(tasks);
    }

    /** Reads for all nodes, since a thread for each costs more than it finds. */
    private void reader() {
        int rounds = setting.isAboutRevocations() ? 10 + random.nextInt(15) : random.nextInt(12);
        for (int i = rounds; i > 0; i--) {
            if (setting.isAboutRevocations()) {
                sites.forEach(this::read);
                schedule.sleep(random.nextLong(1L << 30));
            } else {
                read(any(sites));
                schedule.sleep(random.nextLong(1L << (20 + random.nextInt(12))));
            }
        }
    }

    private void read(Site site) {
        perform(new Op(Op.Kind.READ, site.now(), "", null, null, schedule.nanos(), schedule.next()), () -> {
            site.node.read();
            return true;
        });
    }

    private void client() {
        int least = setting.isAboutRevocations() ? 4 : 2;
        for (int i = least + random.nextInt(5); i > 0; i--) {
            if (random.nextInt(setting.isAboutRevocations() ? 2 : 4) == 0) {
                schedule.sleep(random.nextLong(1L << (25 + random.nextInt(9))));
            }
            act(sessions.isEmpty() ? null : any(sessions), random.nextInt(100));
        }
    }

    private void act(@Nullable Session session, int drawn) {
        if (session == null || drawn < 10) {
            login();
        } else if (drawn < (setting.isAboutRevocations() ? 20 : 55)) {
            refresh(session);
        } else if (drawn < (setting.isAboutRevocations() ? 70 : 80)) {
            check(session);
        } else if (drawn < 88) {
            logOut(session);
        } else if (drawn < 91) {
            end(session);
        } else if (drawn < (setting.isAboutRevocations() ? 100 : 96)) {
            revokeAll();
        } else {
            list();
        }
    }

    private void login() {
        Site site = any(sites);
        Op op = op(
                Op.Kind.LOGIN,
                site,
                SUBJECTS[random.nextInt(setting.isAboutRevocations() ? 1 : SUBJECTS.length)],
                null,
                null);
        answered(op, () -> site.node.login(op.subject)).ifPresent(answer -> {
            Session session =
                    new Session(sessions.size(), site.service, op.subject, SimulatedNode.idOf(answer.refresh()));
            op.started = session;
            tell(op, session, answer);
            sessions.add(session);
        });
    }

    private void refresh(Session session) {
        // Mostly the latest token; otherwise an earlier token, as with a thief or a second tab.
        List<String> texts = new ArrayList<>(session.seen.values());
        String text = random.nextInt(10) < 6 ? texts.get(texts.size() - 1) : any(texts);
        Site site = any(sites);
        Op op = op(Op.Kind.REFRESH, site, session.subject, session, session.nameOf(text));
        answered(op, () -> site.node.refresh(text)).ifPresent(answer -> tell(op, session, answer));
    }

    private void tell(Op op, Session session, SimulatedNode.Answer answer) {
        op.answer = session.nameOf(answer.refresh());
        session.access.add(new Session.Access(answer.access(), op));
        if (op.kind == Op.Kind.LOGIN || random.nextInt(8) > 0) {
            session.seen.remove(op.answer);
            session.seen.put(op.answer, answer.refresh());
        }
    }

    private void check(Session session) {
        Session.Access access = any(session.access);
        Site site = any(sites);
        Op op = op(Op.Kind.CHECK, site, session.subject, session, null);
        op.issuer = access.issuer();
        perform(op, () -> site.node.accepts(access.text()));
    }

    private void logOut(Session session) {
        Site site = any(sites);
        boolean byRefresh = random.nextBoolean();
        String text = byRefresh
                ? any(new ArrayList<>(session.seen.values()))
                : any(session.access).text();
        Op op = op(Op.Kind.LOGOUT, site, session.subject, session, byRefresh ? session.nameOf(text) : null);
        perform(op, () -> {
            site.node.logOut(text);
            return true;
        });
    }

    private void end(Session session) {
        Site site = any(sites);
        perform(op(Op.Kind.END, site, session.subject, session, null), () -> {
            site.node.end(session.id, session.subject);
            return true;
        });
    }

    private void revokeAll() {
        Site site = any(sites);
        Op op = op(
                Op.Kind.REVOKE_ALL,
                site,
                SUBJECTS[random.nextInt(setting.isAboutRevocations() ? 1 : SUBJECTS.length)],
                null,
                null);
        perform(op, () -> {
            site.node.revokeAll(op.subject);
            return true;
        });
    }

    private void list() {
        Site site = any(sites);
        Op op = op(
                Op.Kind.LIST,
                site,
                SUBJECTS[random.nextInt(setting.isAboutRevocations() ? 1 : SUBJECTS.length)],
                null,
                null);
        perform(op, () -> {
            op.ids.addAll(site.node.list(op.subject));
            return true;
        });
    }

    private Op op(Op.Kind kind, Site site, String subject, @Nullable Session session, @Nullable String token) {
        return new Op(kind, site.now(), subject, session, token, schedule.nanos(), schedule.next());
    }

    private Optional<SimulatedNode.Answer> answered(Op op, Supplier<Optional<SimulatedNode.Answer>> action) {
        List<SimulatedNode.Answer> answers = new ArrayList<>();
        perform(op, () -> {
            action.get().filter(answer -> !answer.isFull()).ifPresent(answers::add);
            return !answers.isEmpty();
        });
        return answers.stream().findFirst();
    }

    private void perform(Op op, Supplier<Boolean> action) {
        ops.add(op);
        calls.begin(op);
        try {
            op.result = action.get() ? Op.Result.DONE : Op.Result.REFUSED;
        } catch (AuthUnavailableException e) {
            op.result = Op.Result.OUTAGE;
        }
        op.endNanos = schedule.nanos();
        op.end = schedule.next();
    }

    private void weather() {
        calls.arrive();
        if (random.nextInt(100) < setting.replication()) {
            if (!server.isReplicaAway) {
                server.replicate();
            }
        }
        if (random.nextInt(1000) < setting.storms()) {
            strike();
        }
    }

    private void strike() {
        int drawn = random.nextInt(100);
        if (drawn < 15) {
            server.isDown ^= true;
            event(server.isDown ? "server down" : "server up");
        } else if (drawn < 25) {
            server.isFull ^= true;
            event(server.isFull ? "server full" : "server has room");
        } else if (drawn < 35) {
            server.isReplicaAway ^= true;
            event(server.isReplicaAway ? "replica away" : "replica back");
        } else if (drawn < 45) {
            Site site = any(sites);
            site.restart();
            event(site.name + " restarts");
        } else if (drawn < 60) {
            Site site = any(sites);
            site.setClock();
            event(site.name + " has its clock set");
        } else if (drawn < 65) {
            server.backUp();
        } else if (setting.isDatabase()) {
            empty(drawn);
        } else if (drawn < 68 && server.hasBackup()) {
            server.restore(random.nextInt(8));
            event("old state");
            lostLogins.add(schedule.next());
            lostRevocations.add(schedule.next());
        } else {
            server.failOver();
            server.isDown = false;
            event("failover");
            lostRevocations.add(schedule.next());
            if (!setting.waits()) {
                lostLogins.add(schedule.next());
            }
        }
    }

    private void empty(int drawn) {
        if (drawn < 70) {
            server.empty();
            event("emptied");
            lostLogins.add(schedule.next());
            lostRevocations.add(schedule.next());
        }
    }

    private void event(String what) {
        events.add(schedule.next() + " at %.3fs ".formatted(schedule.nanos() / 1e9) + what);
    }

    private long offset() {
        return setting.skew().isZero() ? 0 : random.nextLong(setting.skew().toNanos());
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}

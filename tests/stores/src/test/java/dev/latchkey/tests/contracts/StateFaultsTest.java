package dev.latchkey.tests.contracts;

import static dev.latchkey.tests.contracts.Planted.fault;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.contract.PluginContract;
import dev.latchkey.auth.contract.Race;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the kits find in answers beside a login: about accounts, devices and revocations. */
class StateFaultsTest {

    private static final String OUTAGE = "outage_isAnExceptionAndNeverAnAnswer";
    private static final String RECORDED = "revocationThatCannotBeRecorded_isAnOutage";
    private static final String SUBJECT = "revokedSubject_losesWhatWasIssuedBefore_andNothingElse";
    private static final String ACCOUNT = "account_isAnOutageWithoutTheStore_andNobodyAfterClose";

    static Stream<Arguments> ofDevices() {
        return Stream.of(
                fault("knows every device in an outage", OUTAGE, "knowsDevice", inOutage(() -> true)),
                fault("has another exception in an outage", OUTAGE, "IllegalStateException", inOutage(() -> {
                    throw new IllegalStateException("planted");
                })),
                fault(
                        "knows every device on an interrupted thread",
                        "interruptedCaller_getsNoWrongAnswer",
                        "knowsDevice",
                        new Kits.Pins(() -> new PinStep() {
                            @Override
                            public boolean knowsDevice(Authenticated login, RequestContext context) {
                                return Thread.currentThread().isInterrupted() || super.knowsDevice(login, context);
                            }
                        })));
    }

    static Stream<Arguments> ofRevocations() {
        return Stream.of(
                fault("has no subject to revoke in an outage", RECORDED, "revokeAll", inOutage(new DownTickets() {
                    @Override
                    public boolean revokeAll(String subjectId, Instant notBefore) {
                        return false;
                    }
                })),
                fault("names the subject in an outage", RECORDED, "IllegalStateException", inOutage(new DownTickets() {
                    @Override
                    public boolean revokeAll(String subjectId, Instant notBefore) {
                        throw new IllegalStateException("planted");
                    }
                })),
                fault("denies revocations in an outage", RECORDED, "isRevoked", inOutage(new DownTickets() {
                    @Override
                    public boolean isRevoked(String subjectId, Instant provedAt) {
                        return false;
                    }
                })),
                fault(
                        "denies revocations after its close",
                        SUBJECT,
                        "after close()",
                        new Kits.Revokers(() -> new KnowingTickets() {
                            private volatile boolean closed;

                            @Override
                            public boolean isRevoked(String subjectId, Instant provedAt) {
                                return !closed && super.isRevoked(subjectId, provedAt);
                            }

                            @Override
                            public void close() {
                                closed = true;
                            }
                        })),
                fault("takes the last bound", SUBJECT, "valid again", new Kits.Revokers(() -> new TicketPlugin() {
                    private TicketPlugin lastRevoked = new TicketPlugin();

                    @Override
                    public boolean revokeAll(String subjectId, Instant notBefore) {
                        lastRevoked = new TicketPlugin();
                        return lastRevoked.revokeAll(subjectId, notBefore);
                    }

                    @Override
                    public Decision authenticate(Ticket ticket, RequestContext context) {
                        return lastRevoked.authenticate(ticket, context);
                    }
                })));
    }

    static Stream<Arguments> ofAccounts() {
        return Stream.of(
                fault("has no account in an outage", ACCOUNT, "store down", accountsInOutage(id -> Optional.empty())),
                fault("answers in an outage", ACCOUNT, "store down", accountsInOutage(StateFaultsTest::found)),
                fault("answers after its close", ACCOUNT, "closed source", accounts(StateFaultsTest::found)),
                fault("mixes up accounts", "accounts_areNotMixedUp_byManyThreads", "the account of", mixesUp()),
                fault("prints the stamp", "stampOfAnAccount_isNeverPrinted", "a secret was printed", accounts(id -> {
                    System.out.println("stamp-of-" + id);
                    return found(id);
                })));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"ofDevices", "ofRevocations", "ofAccounts"})
    void plantedFault_isFound_andTheInputNamed(String what, String rule, String says, PluginContract<?> kit) {
        Planted.assertFound(rule, says, kit);
    }

    private static PluginContract<?> inOutage(BooleanSupplier knowsDevice) {
        return new Kits.Pins(PinStep::new) {
            @Override
            protected Optional<? extends LoginStep> newPluginInOutage() {
                return Optional.of(new PinStep() {
                    @Override
                    boolean matches(String account, String given) {
                        throw down();
                    }

                    @Override
                    public boolean knowsDevice(Authenticated login, RequestContext context) {
                        return knowsDevice.getAsBoolean();
                    }
                });
            }
        };
    }

    private static PluginContract<?> inOutage(DownTickets tickets) {
        return new Kits.Revokers(KnowingTickets::new) {
            @Override
            protected Optional<? extends CredentialsRevoker> newPluginInOutage() {
                return Optional.of(tickets);
            }
        };
    }

    /** Also says whether a subject was revoked. */
    private static class KnowingTickets extends TicketPlugin {

        private final Map<String, Instant> bounds = new ConcurrentHashMap<>();

        @Override
        public boolean revokeAll(String subjectId, Instant notBefore) {
            bounds.merge(subjectId, notBefore, (one, other) -> one.isAfter(other) ? one : other);
            return super.revokeAll(subjectId, notBefore);
        }

        @Override
        public boolean isRevoked(String subjectId, Instant provedAt) {
            return provedAt.isBefore(bounds.getOrDefault(subjectId, Instant.MIN));
        }
    }

    private static class DownTickets extends TicketPlugin {

        @Override
        public boolean revoke(Credentials credentials) {
            throw down();
        }

        @Override
        public boolean revokeAll(String subjectId, Instant notBefore) {
            throw down();
        }

        @Override
        public boolean isRevoked(String subjectId, Instant provedAt) {
            throw down();
        }
    }

    private static PluginContract<?> accounts(Function<String, Optional<Verdict>> accounts) {
        return new Kits.Passwords(() -> new Accounts(accounts));
    }

    private static PluginContract<?> accountsInOutage(Function<String, Optional<Verdict>> accounts) {
        return new Kits.Passwords(() -> new Accounts(StateFaultsTest::found)) {
            @Override
            protected Optional<? extends LoginSource<?>> newPluginInOutage() {
                return Optional.of(new Accounts(accounts) {
                    @Override
                    public Decision authenticate(PasswordCredentials login, RequestContext context) {
                        throw down();
                    }
                });
            }
        };
    }

    private static PluginContract<?> mixesUp() {
        String[] last = new String[1];
        return accounts(id -> {
            last[0] = id;
            Race.letOthersIn();
            return found(last[0]);
        });
    }

    /** Passwords with stamps. */
    private static class Accounts extends PasswordPlugin {

        private final Function<String, Optional<Verdict>> accounts;

        Accounts(Function<String, Optional<Verdict>> accounts) {
            this.accounts = accounts;
        }

        @Override
        Decision right(Subject subject) {
            return stamped(subject.id());
        }

        @Override
        public Optional<Verdict> account(String subjectId) {
            return accounts.apply(subjectId);
        }
    }

    private static Optional<Verdict> found(String id) {
        return Optional.of(stamped(id));
    }

    private static Authenticated stamped(String id) {
        return Authenticated.as(Subject.of(id)).withStamp(Secret.of("stamp-of-" + id));
    }

    private static AuthUnavailableException down() {
        return AuthUnavailableException.outage("planted");
    }
}

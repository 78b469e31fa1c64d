package dev.latchkey.tests.contracts;

import static dev.latchkey.tests.contracts.Planted.fault;

import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.contract.PluginContract;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.tests.contracts.TicketPlugin.Ticket;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the kits of readers, grant readers, permission sources and revokers find. */
class OtherFaultsTest {

    private static final String ANSWERS = "answers_areRight_theFirstTimeAndLater";
    private static final String TWO = "read_believesNeitherOfTwoValues";
    private static final String TYPES = "grantTypes_areConstant_andExtensions";
    private static final String DAMAGED = "grantThatIsDamaged_isNotAccepted";
    private static final String ALWAYS = "authorize_alwaysAnswers";
    private static final String REVOKED = "revokedCredentials_areRefused_andOthersAreNot";
    private static final String SUBJECT = "revokedSubject_losesWhatWasIssuedBefore_andNothingElse";

    static Stream<Arguments> ofReaders() {
        return Stream.of(
                fault("the first of two", TWO, "a valid value, then another", reads(values -> values.get(0))),
                fault(
                        "the last of two",
                        TWO,
                        "another value, then a valid one",
                        reads(values -> values.get(values.size() - 1))),
                fault(
                        "before the comma",
                        TWO,
                        "a valid value and another in one line",
                        reads(values -> values.size() == 1 ? values.get(0).replaceAll(",.*", "") : "")),
                fault("never reads", ANSWERS, "a request with valid credentials", reader(context -> Optional.empty())),
                fault(
                        "reads something out of nothing",
                        ANSWERS,
                        "without credentials",
                        reader(context -> Optional.of(Ticket.of("none")))),
                fault(
                        "throws for a lone surrogate",
                        "read_takesAnyHeaderValue",
                        "the header values",
                        reader(context ->
                                context.header("X-Ticket").stream().findFirst().map(Ticket::of))),
                fault(
                        "overlooks two values",
                        "read_overlooksNoFieldForItsTwoValues",
                        "two values of the field",
                        reader(context -> context.header("X-Ticket").size() == 1
                                ? new TicketPlugin().read(context)
                                : Optional.empty())),
                fault(
                        "takes what others send",
                        "read_leavesAloneWhatOthersSend",
                        "Authorization: ",
                        reader(context -> context.header("Authorization").isEmpty()
                                ? new TicketPlugin().read(context)
                                : Optional.of(Ticket.of("none")))),
                fault(
                        "a challenge that ends the field",
                        "challenge_isAFieldValue_andConstant",
                        "not visible ASCII",
                        new Kits.Readers(() -> new TicketPlugin() {
                            @Override
                            public Optional<String> challenge() {
                                return Optional.of("Ticket\r\nX: y");
                            }
                        })));
    }

    static Stream<Arguments> ofGrants() {
        return Stream.of(
                fault("a type of OAuth's own", TYPES, "'password' is OAuth's own", types(Set.of("password"))),
                fault("no type", TYPES, "is empty", types(Set.of())),
                fault(
                        "issued credentials",
                        "validGrant_isReadAndAccepted",
                        "IssuedCredentials",
                        grants((plugin, fields) ->
                                Optional.ofNullable(fields.get("link")).map(BearerToken::new))),
                fault(
                        "throws for a missing field",
                        DAMAGED,
                        "threw java.util.NoSuchElementException",
                        grants((plugin, fields) -> Optional.of(new LinkPlugin.Link(
                                Optional.ofNullable(fields.get("link")).orElseThrow())))),
                fault(
                        "null for a missing field",
                        DAMAGED,
                        "answered null",
                        grants((plugin, fields) -> fields.containsKey("link")
                                ? plugin.read(LinkPlugin.GRANT, fields, RequestContext.none())
                                : null)),
                fault(
                        "a link for anybody",
                        DAMAGED,
                        "accepted a grant without fields",
                        grants((plugin, fields) -> Optional.of(new LinkPlugin.Link(plugin.mailbox.mailLink("ada"))))),
                fault(
                        "any field will do",
                        DAMAGED,
                        "accepted the field link with",
                        grants((plugin, fields) -> Optional.of(new LinkPlugin.Link(
                                fields.containsKey("link") ? plugin.mailbox.mailLink("ada") : Secret.of("no link"))))),
                fault(
                        "another grant's field",
                        ANSWERS,
                        "a valid grant",
                        grants((plugin, fields) ->
                                Optional.ofNullable(fields.get("ticket")).map(LinkPlugin.Link::new))),
                fault(
                        "no field but its own",
                        "fieldThatTheReaderDoesNotKnow_isIgnored",
                        "with a further field",
                        grants((plugin, fields) -> fields.keySet().equals(Set.of("link"))
                                ? plugin.read(LinkPlugin.GRANT, fields, RequestContext.none())
                                : Optional.empty())),
                fault("logs the link", "secrets_areNeverPrinted", "a secret was printed", grants((plugin, fields) -> {
                    System.err.println(
                            Optional.ofNullable(fields.get("link")).map(link -> link.withText(CharSequence::toString)));
                    return plugin.read(LinkPlugin.GRANT, fields, RequestContext.none());
                })));
    }

    static Stream<Arguments> ofPermissions() {
        return Stream.of(
                fault(
                        "grants to everybody",
                        ANSWERS,
                        "a subject that nobody knows",
                        access((subject, permission) ->
                                permission.resource().equals("orders") ? Access.GRANTED : Access.DENIED)),
                fault(
                        "null for what it does not know",
                        ALWAYS,
                        "answered null",
                        access((subject, permission) ->
                                permission.resource().equals("orders") ? Access.GRANTED : null)),
                fault(
                        "compiles a pattern",
                        ALWAYS,
                        "resource and action *",
                        access((subject, permission) -> Pattern.compile(permission.resource())
                                        .matcher("orders")
                                        .matches()
                                ? Access.ABSTAINED
                                : Access.DENIED)),
                fault(
                        "a pattern that a caller chose",
                        ALWAYS,
                        "granted what nobody granted",
                        access((subject, permission) ->
                                permission.resource().equals("**") ? Access.GRANTED : Access.ABSTAINED)),
                fault(
                        "caches by the subject alone",
                        "permissionThatIsNearlyGranted_isNotGranted",
                        "granted, for the resource",
                        caching((subject, permission) -> subject.id())),
                fault(
                        "caches by the joined names",
                        "permissionThatIsNearlyGranted_isNotGranted",
                        "the same text, divided",
                        caching((subject, permission) ->
                                subject.id() + ":" + permission.resource() + permission.action())),
                fault(
                        "caches by the permission alone",
                        "subjectOfNearlyTheSameId_hasNothing",
                        "a subject without authorities",
                        caching((subject, permission) -> permission.resource() + ":" + permission.action())),
                fault(
                        "any action",
                        "permissionThatIsNearlyGranted_isNotGranted",
                        "the action in upper case; if the plugin ignores case, or a resource contains others, override namesAreExact",
                        access((subject, permission) -> subject.authorities().isEmpty()
                                        || !permission.resource().equals("orders")
                                ? Access.ABSTAINED
                                : Access.GRANTED)),
                fault(
                        "resources by their beginning",
                        "permissionThatIsNearlyGranted_isNotGranted",
                        "the resource ",
                        access((subject, permission) -> subject.authorities().isEmpty()
                                        || !permission.resource().startsWith("orders")
                                ? Access.ABSTAINED
                                : Access.GRANTED)),
                fault(
                        "subjects by their end",
                        "subjectOfNearlyTheSameId_hasNothing",
                        "with a space before it",
                        access((subject, permission) ->
                                subject.id().endsWith("ada") ? Access.GRANTED : Access.ABSTAINED)));
    }

    static Stream<Arguments> ofRevokers() {
        return Stream.of(
                fault("revokes anything", ANSWERS, "revoke, with wrong credentials", revoker(new TicketPlugin() {
                    @Override
                    public boolean revoke(Credentials credentials) {
                        super.revoke(credentials);
                        return true;
                    }
                })),
                fault("forgets revocations", REVOKED, "says are revoked", revoker(new TicketPlugin() {
                    @Override
                    public boolean revoke(Credentials credentials) {
                        return credentials instanceof Ticket ticket
                                && ticket.text().equals(VALID);
                    }
                })),
                fault("revokes and denies it", REVOKED, "says are not revoked", revoker(new TicketPlugin() {
                    @Override
                    public boolean revoke(Credentials credentials) {
                        super.revoke(credentials);
                        return false;
                    }
                })),
                fault("revokes others too", REVOKED, "another account too", revoker(new TicketPlugin() {
                    @Override
                    public boolean revoke(Credentials credentials) {
                        return super.revoke(credentials) && super.revoke(Ticket.of(OTHER));
                    }
                })),
                fault("forgets revoked subjects", SUBJECT, "says is revoked", revoker(new TicketPlugin() {
                    @Override
                    public boolean revokeAll(String subjectId, Instant notBefore) {
                        return true;
                    }
                })),
                fault("revokes all for one", SUBJECT, "another subject", revoker(new TicketPlugin() {
                    @Override
                    public boolean revokeAll(String subjectId, Instant notBefore) {
                        return super.revokeAll("ada", notBefore);
                    }
                })),
                fault("ignores when it was issued", SUBJECT, "issued after notBefore", revoker(new TicketPlugin() {
                    @Override
                    public boolean revokeAll(String subjectId, Instant notBefore) {
                        return super.revokeAll(subjectId, Instant.MAX);
                    }
                })),
                fault("knows a revocation too many", SUBJECT, "nobody made", revoker(new TicketPlugin() {
                    @Override
                    public boolean isRevoked(String subjectId, Instant provedAt) {
                        return true;
                    }
                })),
                fault("knows revocations of later", SUBJECT, "times after notBefore", revoker(new TicketPlugin() {
                    private boolean isAsked;

                    @Override
                    public boolean isRevoked(String subjectId, Instant provedAt) {
                        boolean isSecond = isAsked;
                        isAsked = true;
                        return isSecond;
                    }
                })));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"ofReaders", "ofGrants", "ofPermissions", "ofRevokers"})
    void plantedFault_isFound_andTheInputNamed(String what, String rule, String says, PluginContract<?> kit) {
        Planted.assertFound(rule, says, kit);
    }

    private static PluginContract<?> reader(Function<RequestContext, Optional<Credentials>> reading) {
        return new Kits.Readers(() -> new TicketPlugin() {
            @Override
            public Optional<Credentials> read(RequestContext context) {
                return reading.apply(context);
            }
        });
    }

    private static PluginContract<?> reads(Function<List<String>, String> choice) {
        return reader(context -> {
            List<String> values = context.header("X-Ticket");
            return values.isEmpty() ? Optional.empty() : Optional.of(Ticket.of(choice.apply(values)));
        });
    }

    private static PluginContract<?> types(Set<String> types) {
        return new Kits.Grants(mailbox -> new LinkPlugin(mailbox) {
            @Override
            public Set<String> grantTypes() {
                return types;
            }
        });
    }

    private static PluginContract<?> grants(
            BiFunction<LinkPlugin, Map<String, Secret>, Optional<Credentials>> reading) {
        return new Kits.Grants(mailbox -> new LinkPlugin(mailbox) {
            @Override
            public Optional<Credentials> read(String grantType, Map<String, Secret> fields, RequestContext context) {
                return reading.apply(new LinkPlugin(mailbox), fields);
            }
        });
    }

    private static PluginContract<?> access(BiFunction<Subject, Permission, Access> answer) {
        return new Kits.Permissions(() -> new RolePermissions() {
            @Override
            public Access authorize(Subject subject, Permission permission) {
                return answer.apply(subject, permission);
            }
        });
    }

    private static PluginContract<?> caching(BiFunction<Subject, Permission, String> key) {
        return new Kits.Permissions(() -> new RolePermissions() {
            private final Map<String, Access> answers = new ConcurrentHashMap<>();

            @Override
            public Access authorize(Subject subject, Permission permission) {
                return answers.computeIfAbsent(
                        key.apply(subject, permission), unused -> super.authorize(subject, permission));
            }
        });
    }

    private static PluginContract<?> revoker(TicketPlugin plugin) {
        return new Kits.Revokers(() -> plugin);
    }
}

package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSearchRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSimpleBindRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSimpleBindResult;
import com.unboundid.ldap.listener.interceptor.InMemoryOperationInterceptor;
import com.unboundid.ldap.sdk.BindResult;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldif.LDIFException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * UnboundID's in-memory server with a few people and groups. The server counts binds, and answers for some DNs as
 * other directories do.
 */
final class TestDirectory implements AutoCloseable {

    static final String BASE = "dc=example,dc=org";
    static final String PEOPLE = "ou=people," + BASE;
    static final String GROUPS = "ou=groups," + BASE;
    static final String SERVICE = "cn=orders,ou=services," + BASE;
    static final String SERVICE_PASSWORD = "Service-Secret-1815";
    static final String ADA = "uid=ada," + PEOPLE;
    static final String PASSWORD = "Correct-Horse-7";
    static final String OTHER_PASSWORD = "Battery-Staple-9";
    static final String LONG_PASSWORD = "0123456789".repeat(10);

    /** What a bind of some DN is answered with. */
    record Answer(ResultCode code, String message, List<Control> controls) {}

    private final InMemoryDirectoryServer server;
    private final Queue<String> binds = new ConcurrentLinkedQueue<>();
    private final Queue<String> searches = new ConcurrentLinkedQueue<>();
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private volatile @Nullable Pause pause;
    private final AtomicInteger searchFaults = new AtomicInteger(ResultCode.SUCCESS_INT_VALUE);

    private TestDirectory(InMemoryListenerConfig... listeners) throws LDAPException, LDIFException {
        InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig(BASE);
        config.setListenerConfigs(listeners);
        config.setSchema(null);
        config.addAdditionalBindCredentials(SERVICE, SERVICE_PASSWORD);
        config.addInMemoryOperationInterceptor(new Listener());
        server = new InMemoryDirectoryServer(config);
        server.add("dn: " + BASE, "objectClass: top", "objectClass: domain", "dc: example");
    }

    static TestDirectory start() throws Exception {
        return filled(InMemoryListenerConfig.createLDAPConfig("plain", InetAddress.getLoopbackAddress(), 0, null));
    }

    /** The same with LDAPS and StartTLS, and this certificate. */
    static TestDirectory start(TestCertificate certificate) throws Exception {
        return filled(
                InMemoryListenerConfig.createLDAPConfig(
                        "plain",
                        InetAddress.getLoopbackAddress(),
                        0,
                        certificate.context().getSocketFactory()),
                InMemoryListenerConfig.createLDAPSConfig(
                        "encrypted",
                        InetAddress.getLoopbackAddress(),
                        0,
                        certificate.context().getServerSocketFactory(),
                        null));
    }

    private static TestDirectory filled(InMemoryListenerConfig... listeners) throws Exception {
        TestDirectory directory = new TestDirectory(listeners);
        directory.add("ou=people," + BASE, "ou: people");
        directory.add("ou=groups," + BASE, "ou: groups");
        directory.person(
                "ada", PASSWORD, "displayName: Ada Lovelace", "mail: ada@example.org", "mail: countess@example.org");
        directory.person("grace", OTHER_PASSWORD);
        directory.person("linus", LONG_PASSWORD);
        directory.group("developers", ADA, "uid=grace," + PEOPLE);
        directory.group("admins", ADA);
        directory.server.startListening();
        return directory;
    }

    TestDirectory person(String uid, String password, String... more) throws LDAPException, LDIFException {
        List<String> lines =
                new ArrayList<>(List.of("uid: " + uid, "objectClass: person", "userPassword: " + password));
        lines.addAll(List.of(more));
        add("uid=" + uid + "," + PEOPLE, lines.toArray(String[]::new));
        return this;
    }

    TestDirectory group(String name, String... members) throws LDAPException, LDIFException {
        List<String> lines = new ArrayList<>(List.of("cn: " + name, "objectClass: groupOfNames"));
        for (String member : members) {
            lines.add("member: " + member);
        }
        add("cn=" + name + "," + GROUPS, lines.toArray(String[]::new));
        return this;
    }

    void add(String dn, String... lines) throws LDAPException, LDIFException {
        List<String> ldif = new ArrayList<>(List.of("dn: " + dn, "objectClass: top"));
        ldif.addAll(List.of(lines));
        server.add(ldif.toArray(String[]::new));
    }

    void modify(String dn, String... lines) throws LDAPException, LDIFException {
        List<String> ldif = new ArrayList<>(List.of("dn: " + dn, "changetype: modify"));
        ldif.addAll(List.of(lines));
        server.modify(ldif.toArray(String[]::new));
    }

    void delete(String dn) throws LDAPException {
        server.delete(dn);
    }

    void answer(String dn, ResultCode code, String message, Control... controls) {
        answers.put(dn, new Answer(code, message, List.of(controls)));
    }

    /** Each search is answered so from now on. */
    void failSearches(ResultCode code) {
        searchFaults.set(code.intValue());
    }

    /** Searches wait from now on, until this is closed. */
    Pause hang() {
        Pause begun = new Pause();
        pause = begun;
        return begun;
    }

    /** A time without answers. */
    static final class Pause implements AutoCloseable {

        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch over = new CountDownLatch(1);

        void awaitAsked() throws InterruptedException {
            if (!asked.await(20, TimeUnit.SECONDS)) {
                throw new AssertionError("nobody asked");
            }
        }

        private void await() {
            asked.countDown();
            try {
                boolean unused = over.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            over.countDown();
        }
    }

    /** Binds of accounts so far: of nobody's that the service uses itself. */
    List<String> bindsOfPeople() {
        return binds.stream().filter(dn -> !dn.equals(SERVICE) && !dn.isEmpty()).toList();
    }

    List<String> searches() {
        return List.copyOf(searches);
    }

    int port() {
        return server.getListenPort("plain");
    }

    int encryptedPort() {
        return server.getListenPort("encrypted");
    }

    void stop() {
        server.shutDown(true);
    }

    void startAgain() throws LDAPException {
        server.startListening();
    }

    /** Settings by which the service finds accounts, without encryption. */
    Map<String, String> settings() {
        return new TreeMap<>(Map.of(
                "urls", "ldap://127.0.0.1:" + port(),
                "encryption", "none",
                "bind-dn", SERVICE,
                "bind-password", SERVICE_PASSWORD,
                "base-dn", PEOPLE,
                "group-base-dn", GROUPS,
                "claims", "name=displayName,email=mail"));
    }

    @Override
    public void close() {
        server.shutDown(true);
    }

    private final class Listener extends InMemoryOperationInterceptor {

        @Override
        public void processSimpleBindRequest(InMemoryInterceptedSimpleBindRequest request) throws LDAPException {
            String dn = request.getRequest().getBindDN();
            binds.add(dn);
            @Nullable Answer answer = answers.get(dn);
            if (answer != null && !answer.code().equals(ResultCode.SUCCESS)) {
                throw new LDAPException(new LDAPResult(
                        -1,
                        answer.code(),
                        answer.message(),
                        null,
                        new String[0],
                        answer.controls().toArray(Control[]::new)));
            }
        }

        @Override
        public void processSimpleBindResult(InMemoryInterceptedSimpleBindResult result) {
            @Nullable Answer answer = answers.get(result.getRequest().getBindDN());
            if (answer != null) {
                BindResult given = result.getResult();
                result.setResult(new BindResult(
                        given.getMessageID(),
                        answer.code(),
                        answer.message(),
                        null,
                        new String[0],
                        answer.controls().toArray(Control[]::new)));
            }
        }

        @Override
        public void processSearchRequest(InMemoryInterceptedSearchRequest request) throws LDAPException {
            if (!request.getRequest().getBaseDN().isEmpty()) {
                searches.add(request.getRequest().getFilter().toString());
                Pause now = pause;
                if (now != null) {
                    now.await();
                }
                if (searchFaults.get() != ResultCode.SUCCESS_INT_VALUE) {
                    throw new LDAPException(ResultCode.valueOf(searchFaults.get()), "as the test wants");
                }
            }
        }
    }
}

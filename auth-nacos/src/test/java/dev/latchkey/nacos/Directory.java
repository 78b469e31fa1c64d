package dev.latchkey.nacos;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldif.LDIFException;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/** A real LDAP server on loopback: people with passwords and groups. */
public final class Directory implements AutoCloseable {

    private static final String BASE = "dc=example,dc=org";
    private static final String PEOPLE = "ou=people," + BASE;
    private static final String GROUPS = "ou=groups," + BASE;
    private static final String SERVICE = "cn=nacos-server," + BASE;
    private static final String SERVICE_PASSWORD = "of-the-service";

    private final InMemoryDirectoryServer server;

    private Directory(InMemoryDirectoryServer server) {
        this.server = server;
    }

    public static Directory start() {
        try {
            InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig(BASE);
            config.setListenerConfigs(
                    InMemoryListenerConfig.createLDAPConfig("plain", InetAddress.getLoopbackAddress(), 0, null));
            config.setSchema(null);
            config.addAdditionalBindCredentials(SERVICE, SERVICE_PASSWORD);
            InMemoryDirectoryServer server = new InMemoryDirectoryServer(config);
            server.add("dn: " + BASE, "objectClass: top", "objectClass: domain", "dc: example");
            server.add("dn: " + PEOPLE, "objectClass: organizationalUnit", "ou: people");
            server.add("dn: " + GROUPS, "objectClass: organizationalUnit", "ou: groups");
            server.startListening();
            return new Directory(server);
        } catch (LDAPException | LDIFException e) {
            throw new IllegalStateException("The directory does not start", e);
        }
    }

    /** A person with a team and groups. */
    public Directory with(String name, String password, String team, String... groups) {
        change(() -> {
            server.add(
                    "dn: uid=" + name + "," + PEOPLE,
                    "objectClass: inetOrgPerson",
                    "uid: " + name,
                    "cn: " + name,
                    "sn: " + name,
                    "departmentNumber: " + team,
                    "pwdChangedTime: 20260101000000Z",
                    "userPassword: " + password);
            for (String group : groups) {
                join("uid=" + name + "," + PEOPLE, group);
            }
        });
        return this;
    }

    /** A directory makes a group together with its first member. */
    private void join(String member, String group) throws LDAPException, LDIFException {
        String dn = "cn=" + group + "," + GROUPS;
        if (server.getEntry(dn) == null) {
            server.add("dn: " + dn, "objectClass: groupOfNames", "cn: " + group, "member: " + member);
        } else {
            server.modify("dn: " + dn, "changetype: modify", "add: member", "member: " + member);
        }
    }

    public void changePassword(String name, String password) {
        change(() -> server.modify(
                "dn: uid=" + name + "," + PEOPLE,
                "changetype: modify",
                "replace: userPassword",
                "userPassword: " + password,
                "-",
                "replace: pwdChangedTime",
                "pwdChangedTime: 20260202000000Z"));
    }

    public void remove(String name) {
        change(() -> server.delete("uid=" + name + "," + PEOPLE));
    }

    public void leaveGroup(String group) {
        change(() -> server.delete("cn=" + group + "," + GROUPS));
    }

    /** Ends the server's connections and listens no more. */
    public void stop() {
        server.shutDown(true);
    }

    /** On the same port as before. */
    public void startAgain() {
        change(server::startListening);
    }

    /** The settings of the plugin for this directory, without a prefix. */
    public Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("urls", "ldap://127.0.0.1:" + server.getListenPort());
        settings.put("encryption", "none");
        settings.put("bind-dn", SERVICE);
        settings.put("bind-password", SERVICE_PASSWORD);
        settings.put("base-dn", PEOPLE);
        settings.put("group-base-dn", GROUPS);
        settings.put("claims", "team=departmentNumber");
        settings.put("cache-expiry", "1m");
        settings.put("timeout", "2s");
        return settings;
    }

    @Override
    public void close() {
        server.shutDown(true);
    }

    private interface Change {
        void run() throws LDAPException, LDIFException;
    }

    private static void change(Change change) {
        try {
            change.run();
        } catch (LDAPException | LDIFException e) {
            throw new IllegalStateException("The directory cannot be changed", e);
        }
    }
}

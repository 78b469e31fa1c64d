package dev.latchkey.nacos.live;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One server with this plugin for all classes with this parameter, started with the first class and ended with the last. */
public final class SharedServer implements ParameterResolver {

    public static final String ADMIN_PASSWORD = "admin-of-these-tests";

    private static final AtomicInteger NAMES = new AtomicInteger();

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == NacosServer.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(Namespace.create(SharedServer.class))
                .computeIfAbsent(
                        NacosServer.class,
                        type -> withAdmin(NacosServer.fresh(NacosServer.Kind.LATCHKEY)
                                .setOwn("trusted.proxies", "127.0.0.1")
                                .setOwn("refusal.delay.millis", "200")
                                .start()));
    }

    /** Makes the first administrator. */
    public static NacosServer withAdmin(NacosServer server) {
        NacosHttp.Answer answer = server.http().post("/v3/auth/user/admin", "password", ADMIN_PASSWORD);
        if (answer.json().path("code").asInt(-1) != 0) {
            server.close();
            throw new IllegalStateException("No administrator: " + answer.status() + " " + answer.body());
        }
        return server;
    }

    /** A session of the administrator, from an own address. */
    public static NacosHttp admin(NacosServer server) {
        return server.http()
                .as(server.http()
                        .from("192.0.2.1")
                        .login("nacos", ADMIN_PASSWORD)
                        .token());
    }

    /** A user with a new name. */
    static String newUser(NacosServer server, String password) {
        String name = "user" + NAMES.incrementAndGet();
        NacosHttp.Answer answer = admin(server).post("/v3/auth/user", "username", name, "password", password);
        if (answer.status() != 200) {
            throw new IllegalStateException("No user: " + answer.status() + " " + answer.body());
        }
        return name;
    }
}

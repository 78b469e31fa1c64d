package dev.latchkey.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.login.TokenRevocation;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.security.core.context.SecurityContextHolder;

/** The resource server of the guide to Spring gRPC checks tokens with Latchkey's decoder, revocations included. */
class GrpcTest {

    private static final String KEY = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=";

    /** Text in both directions, so that no code is generated. */
    private static final MethodDescriptor<String, String> HELLO = MethodDescriptor.<String, String>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("Greeter/Hello")
            .setRequestMarshaller(new Text())
            .setResponseMarshaller(new Text())
            .build();

    @Test
    void wrongTokensAreUnauthenticated_andAnOutageIsUnavailable(@TempDir Path folder) throws Exception {
        try (GuidePage page = GuidePage.compile("grpc.md", folder);
                ConfigurableApplicationContext service = new SpringApplication(Service.class, page.type())
                        .run(
                                "--server.port=0",
                                "--spring.main.banner-mode=off",
                                "--spring.grpc.server.port=0",
                                "--latchkey.jwt.secret=" + KEY,
                                "--latchkey.login.enabled=true",
                                "--spring.security.user.name=alice",
                                "--spring.security.user.password={noop}correct-horse-battery")) {
            ManagedChannel channel = ManagedChannelBuilder.forAddress(
                            "127.0.0.1",
                            service.getBean(GrpcServerLifecycle.class).getPort())
                    .usePlaintext()
                    .build();
            try {
                String token =
                        service.getBean(JwtSigner.class).sign(JwtClaims.forSubject("alice", Duration.ofMinutes(5)));
                assertThat(hello(channel, token)).isEqualTo("Hello alice");
                assertThat(hello(channel, token + "x")).isEqualTo("UNAUTHENTICATED");
                assertThat(hello(channel, null)).isEqualTo("UNAUTHENTICATED");
                service.getBean(Store.class).isDown = true;
                assertThat(hello(channel, token)).isEqualTo("UNAVAILABLE");
                service.getBean(Store.class).isDown = false;
                service.getBean(TokenRevocation.class).revoke(token);
                assertThat(hello(channel, token)).isEqualTo("UNAUTHENTICATED");
            } finally {
                channel.shutdownNow();
                assertThat(channel.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    private static String hello(ManagedChannel channel, @Nullable String token) {
        Metadata fields = new Metadata();
        if (token != null) {
            fields.put(Metadata.Key.of("Authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        }
        try {
            return ClientCalls.blockingUnaryCall(
                    ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(fields)),
                    HELLO,
                    CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS),
                    "");
        } catch (StatusRuntimeException e) {
            return Status.fromThrowable(e).getCode().name();
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        @Bean
        Store store() {
            return new Store();
        }

        @Bean
        RevocationStore revocations(Store store) {
            return (RevocationStore) Proxy.newProxyInstance(
                    GrpcTest.class.getClassLoader(),
                    new Class<?>[] {RevocationStore.class},
                    (proxy, question, arguments) -> store.ask(question, arguments));
        }

        @Bean
        BindableService greeter() {
            return () -> ServerServiceDefinition.builder("Greeter")
                    .addMethod(HELLO, ServerCalls.asyncUnaryCall((request, response) -> {
                        response.onNext("Hello "
                                + SecurityContextHolder.getContext()
                                        .getAuthentication()
                                        .getName());
                        response.onCompleted();
                    }))
                    .build();
        }
    }

    /** Answers until a test says that the store is down. */
    static final class Store {

        private final RevocationStore kept = new InMemoryRevocationStore(Duration.ofHours(1));
        private volatile boolean isDown;

        private Object ask(Method question, Object[] arguments) throws ReflectiveOperationException {
            if (isDown) {
                throw AuthUnavailableException.outage("The store of this test is down");
            }
            return question.invoke(kept, arguments);
        }
    }

    private static final class Text implements MethodDescriptor.Marshaller<String> {

        @Override
        public InputStream stream(String value) {
            return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

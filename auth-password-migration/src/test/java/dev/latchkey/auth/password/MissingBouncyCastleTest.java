package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.password.migration.tool.PasswordTool;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.security.crypto.password.PasswordEncoder;

/** On a class path without the optional library. */
class MissingBouncyCastleTest {

    private static final String ARTIFACT = "org.bouncycastle:bcprov-jdk18on";
    private static final String PASSWORD = "correct horse";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** Loads this package anew, in a world without Bouncy Castle. */
    private static final class World extends ClassLoader {

        private static final String PACKAGE = PasswordEncoders.class.getPackageName() + ".";

        World() {
            super(World.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (name.startsWith("org.bouncycastle.")) {
                    throw new ClassNotFoundException(name);
                }
                if (!name.startsWith(PACKAGE)) {
                    return super.loadClass(name, resolve);
                }
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        Class<?> of(Class<?> type) throws ClassNotFoundException {
            return loadClass(type.getName());
        }
    }

    private final World world = new World();

    private Object call(Class<?> type, String method, Object... argument) throws ReflectiveOperationException {
        Class<?>[] types = argument.length == 0 ? new Class<?>[0] : new Class<?>[] {argument[0].getClass()};
        Method found = world.of(type).getDeclaredMethod(method, types);
        try {
            return found.invoke(null, argument);
        } catch (InvocationTargetException e) {
            return e.getCause();
        }
    }

    @Test
    void encoders_areRefusedWhenTheyArePutTogether_andTheArtifactIsNamed() throws ReflectiveOperationException {
        Object bcrypt = call(HashSpec.class, "of", "bcrypt");
        Object argon2id = call(HashSpec.class, "of", "argon2id");
        Object scrypt = call(HashSpec.class, "of", "scrypt");

        for (Object refusal : new Object[] {
            call(PasswordEncoders.class, "recommended"),
            call(PasswordEncoders.class, "writing", bcrypt),
            call(PasswordEncoders.class, "writingWithoutBouncyCastle", argon2id),
            call(PasswordEncoders.class, "writingWithoutBouncyCastle", scrypt)
        }) {
            assertThat(refusal.getClass().getSimpleName()).isEqualTo("MissingLibraryException");
            assertThat(refusal.toString()).contains(ARTIFACT);
        }
    }

    @Test
    void encodersThatDoWithout_hashWithSpringsBcrypt_andRefuseArgon2() throws ReflectiveOperationException {
        PasswordEncoder without = (PasswordEncoder)
                call(PasswordEncoders.class, "writingWithoutBouncyCastle", call(HashSpec.class, "of", "bcrypt"));
        String stored = without.encode(PASSWORD);
        PasswordEncoders with = Foreign.encoders();

        assertThat(without.matches(PASSWORD, stored)).isTrue();
        assertThat(without.matches("wrong", stored)).isFalse();
        assertThat(with.matches(PASSWORD, stored)).isTrue();
        assertThat(without.matches(PASSWORD, with.withDefault(Cheap.argon2id()).encode(PASSWORD)))
                .isFalse();
        assertThat(without.matches(PASSWORD, with.withDefault(Cheap.scrypt()).encode(PASSWORD)))
                .isFalse();
    }

    private int tool(String input, String... args) throws ReflectiveOperationException {
        Constructor<?> constructor = world.of(PasswordTool.class)
                .getDeclaredConstructor(InputStream.class, PrintStream.class, PrintStream.class);
        constructor.setAccessible(true);
        Object tool = constructor.newInstance(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        Method run = world.of(PasswordTool.class).getDeclaredMethod("run", String[].class);
        run.setAccessible(true);
        return (int) run.invoke(tool, (Object) args);
    }

    @Test
    void tool_namesTheArtifactWhereItNeedsIt() throws ReflectiveOperationException {
        assertThat(tool(PASSWORD + "\n", "hash", "argon2id")).isEqualTo(1);

        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .containsExactly("This needs " + ARTIFACT + " on the class path");
    }

    @Test
    void tool_doesWithoutItWhereItCan() throws ReflectiveOperationException {
        String argon2 =
                Foreign.encoders().withDefault(HashSpec.argon2id(19456, 2, 1)).encode(PASSWORD);

        assertThat(tool(
                        argon2
                                + "\n$scrypt$ln=17,r=8,p=1$JETo3bv3fm8tRahV6n3vXQ$MXOCntFDvwGSRTa9rVRURUnxRB8ahBR2l9izRwCLgdw",
                        "identify",
                        "-"))
                .isZero();
        assertThat(tool(PASSWORD + "\n", "hash", "bcrypt")).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("m=19456,t=2,p=1", "current", "ln=17,r=8,p=1", "{bcrypt}$2b$10$");
    }
}

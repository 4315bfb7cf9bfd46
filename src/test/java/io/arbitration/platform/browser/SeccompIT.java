package io.arbitration.platform.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.arbitration.OtherRuntimes;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The profile of system calls for nodes in containers that capture pages, put on a process as an engine does: by libseccomp. */
class SeccompIT {

    private static final String PROFILE = "deploy/seccomp-captures.json";

    /** Loads a profile and becomes another program, which it cannot take off again. */
    private static final String RUN = """
            import json, os, pyseccomp, sys
            profile = json.load(open(sys.argv[1]))
            actions = {'SCMP_ACT_ALLOW': lambda errno: pyseccomp.ALLOW, 'SCMP_ACT_ERRNO': pyseccomp.ERRNO}
            comparisons = {'SCMP_CMP_EQ': pyseccomp.EQ, 'SCMP_CMP_MASKED_EQ': pyseccomp.MASKED_EQ}
            loaded = pyseccomp.SyscallFilter(actions[profile['defaultAction']](1))
            for rule in profile['syscalls']:
                arguments = [pyseccomp.Arg(one['index'], comparisons[one['op']], one['value'], one.get('valueTwo', 0)) for one in rule.get('args', [])]
                for name in rule['names']:
                    if pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name) == -1:
                        continue  # A newer libseccomp knows it; engines leave it out, too.
                    loaded.add_rule(actions[rule['action']](rule['errnoRet']), name, *arguments)
            loaded.load()
            os.execvp(sys.argv[2], sys.argv[2:])
            """;

    @TempDir
    private Path folder;

    private Path python;

    @BeforeEach
    void find() throws Exception {
        Optional<Path> found = OtherRuntimes.pythonForOtherUsers("pyseccomp==0.1.2");
        assumeTrue(found.isPresent() && OtherRuntimes.runs(found.get().toString(), "-c", "import pyseccomp"), "no python3 with pyseccomp and libseccomp");
        python = found.get();
        // The program runs as somebody else.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    /** What a program prints that runs as a node does in its container: as 10001, without capabilities, which it cannot get either. */
    private String underProfile(String profile, String... command) throws Exception {
        List<String> whole = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            whole.addAll(List.of("setpriv", "--reuid=10001", "--regid=10001", "--clear-groups", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"));
        }
        whole.addAll(List.of(python.toString(), "-c", RUN, profile));
        whole.addAll(List.of(command));
        File output = folder.resolve("output").toFile();
        ProcessBuilder builder = new ProcessBuilder(whole).redirectErrorStream(true).redirectOutput(output);
        builder.environment().put("HOME", folder.toString());
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends in its time").isTrue();
        return Files.readString(output.toPath(), StandardCharsets.UTF_8);
    }

    private String shown(String profile) throws Exception {
        Optional<Path> chromium = Chromium.find(Optional.ofNullable(System.getenv("ACP_CHROMIUM")));
        assumeTrue(chromium.isPresent(), "no Chromium");
        return underProfile(profile, chromium.get().toString(), "--headless", "--disable-gpu", "--user-data-dir=" + folder.resolve("profile-" + System.nanoTime()),
                "--dump-dom", "data:text/html,<p>captured</p>");
    }

    @Test
    void underTheProfileTheBrowserHasItsSandboxAndWithoutUserNamespacesItHasNone() throws Exception {
        assertThat(shown(PROFILE)).contains("<p>captured</p>");
        JsonNode profile = new ObjectMapper().readTree(new File(PROFILE));
        String without = profile.toString().replace("\"setns\"", "\"setns\",\"unshare\"").replace("\"value\":131072,\"valueTwo\":131072", "\"value\":268435456,\"valueTwo\":268435456");
        assertThat(shown(Files.writeString(folder.resolve("without.json"), without).toString())).contains("No usable sandbox").doesNotContain("<p>captured</p>");
    }

    @Test
    void inANamespaceOfItsOwnAProcessCanNeitherMountNorLeaveItsFolder() throws Exception {
        String tried = """
                import ctypes, os
                c = ctypes.CDLL(None, use_errno=True)
                def says(name, result): print(name, 'done' if result >= 0 else os.strerror(ctypes.get_errno()))
                says('user', c.unshare(0x10000000))
                says('mounts', c.unshare(0x20000))
                says('mount', c.mount(b'none', b'/tmp', b'tmpfs', 0, None))
                says('trace', c.ptrace(0, 0, 0, 0))
                says('keys', c.syscall(250, 0, -3, 0) if os.uname().machine == 'x86_64' else c.syscall(219, 0, -3, 0))
                says('ring', c.syscall(425, 1, None))
                says('clone3', c.syscall(435, None, 0))
                """;
        assertThat(underProfile(PROFILE, "python3", "-c", tried).lines()).containsExactly("user done", "mounts Operation not permitted",
                "mount Operation not permitted", "trace Operation not permitted", "keys Operation not permitted", "ring Operation not permitted",
                "clone3 Function not implemented");
    }
}
